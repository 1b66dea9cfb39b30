import { app } from "../../src/app.ts"
import { counted } from "./counted.ts"

export { UploadLimiter } from "../../src/index.ts"

// What lies before the app calls no binding.
export default counted({ fetch: app.fetch })
