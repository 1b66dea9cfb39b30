import { copyDocsAssets } from "./prepare.mjs"

copyDocsAssets()
