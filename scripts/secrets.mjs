import { randomBytes } from "node:crypto"
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { ROOT } from "./prepare.mjs"

const FILE = join(ROOT, ".dev.vars")

const read = () => {
  try {
    return readFileSync(FILE, "utf8")
  } catch (error) {
    if (error.code === "ENOENT") return ""
    throw error
  }
}

/** The operator's token of this machine. Made at the first start and kept in .dev.vars, which git ignores. */
export const localOperatorToken = () => {
  const text = read()
  const [, , known] = /^OPERATOR_TOKEN\s*=\s*(["']?)(.+?)\1\s*$/m.exec(text) ?? []
  if (known) return known
  const token = randomBytes(32).toString("hex")
  const newline = text === "" || text.endsWith("\n") ? "" : "\n"
  appendFileSync(FILE, `${newline}OPERATOR_TOKEN=${token}\n`, { mode: 0o600 })
  return token
}
