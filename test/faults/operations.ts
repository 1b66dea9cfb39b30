import { accountOperations } from "./accounts.ts"
import { postOperations } from "./posts.ts"
import type { Operation } from "./search.ts"
import { signInOperations } from "./sign-ins.ts"

/** Every operation that writes, and the reads that an outdated replica may answer. */
export const operations: Operation[] = [...postOperations, ...accountOperations, ...signInOperations]

export const operationNamed = (name: string): Operation => {
  const found = operations.find((operation) => operation.name === name)
  if (!found) throw new Error(`There is no operation ${name}.`)
  return found
}
