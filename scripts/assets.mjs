import { copyAssets } from "./prepare.mjs"

copyAssets()
