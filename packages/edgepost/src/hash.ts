import { createHash } from "node:crypto"

/** Returns the SHA-256 of bytes, or of a text in UTF-8, in hex. */
export const sha256 = (content: Buffer | string): string => createHash("sha256").update(content).digest("hex")
