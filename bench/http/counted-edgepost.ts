import worker from "../../src/index.ts"
import { counted } from "./counted.ts"

export { UploadLimiter } from "../../src/index.ts"

export default counted(worker)
