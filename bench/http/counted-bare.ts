import worker from "./bare.ts"
import { counted } from "./counted.ts"

export { UploadLimiter } from "./bare.ts"

export default counted(worker)
