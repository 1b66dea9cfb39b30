// Checks what the change against HEAD touches: the format of its files, and types, lint and tests of its folders.
// `npm run check` and `npm test` check the others. An argument is another revision than HEAD.
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"

import { Failure, main } from "./cli.ts"
import { finishTool, ROOT, runTool } from "./tools.ts"

const git = (...args: string[]): string[] =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "")

/** Matches `src/posts/patch.ts`, `packages/edgepost/test/folder/folder.ts` and `src/app.ts`. Does not match `docs/api.md`. */
const CODE = /^(packages\/[^/]+\/)?(?:src|test)\/(?:([^/]+)\/)?.*\.(?:ts|tsx|js)$/

/** Matches `test/posts/put.integration.test.ts`. Does not match `packages/edgepost/test/oracle.e2e.test.ts`. */
const IS_TEST = /\.(?:unit|integration)\.test\.ts$/

/** Matches `src/posts/patch.ts`. Does not match `packages/edgepost/test/tools/astro/theme/src/content.config.ts`. */
const IS_SOURCE = /^(?:packages\/[^/]+\/)?src\//

/** Matches `test/full/xss.ts`, whose compiler options the linter does not find. Does not match `test/http/a.unit.test.ts`. */
const IS_UNTYPED = /^test\/(?:full|soak)\/|\.full\.test\.ts$|\/test\/tools\/\w+\/theme\//

/** Lists the tests of a folder, and if asked those of the folders in it. */
const listTests = (folder: string, recursive: boolean): string[] =>
  readdirSync(join(ROOT, folder), { encoding: "utf8", recursive })
    .filter((name) => IS_TEST.test(name))
    .map((name) => `${folder}/${name}`)

/** Returns the tests that stand nearest to a file: those of the folder with the same name, else those beside all folders. */
const testsOf = (file: string): string[] => {
  const [, part = "", folder = ""] = CODE.exec(file) ?? []
  if (IS_TEST.test(file)) return [file]
  const [tests, nearest] = [`${part}test`, `${part}test/${folder}`]
  return folder !== "" && existsSync(join(ROOT, nearest)) ? listTests(nearest, true) : listTests(tests, false)
}

const unique = <T>(items: T[]): T[] => [...new Set(items)]

await main(async () => {
  const revision = process.argv[2] ?? "HEAD"
  const changed = [
    ...git("diff", "--name-only", "--diff-filter=d", revision, "--"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ]
  const code = changed.filter((file) => CODE.test(file))
  if (code.length === 0)
    return console.log(`No file of src/ or test/ has changed since ${revision}. \`npm run check\` looks at all others.`)
  const format = runTool("oxfmt", ["--check", ...code])
  if (format.status !== 0) throw new Failure(`${format.output}\n\`npm run format\` formats them.`)
  const tests = unique(code.flatMap(testsOf))
  const sources = code.filter((file) => IS_SOURCE.test(file)).map(dirname)
  const typed = unique([...sources, ...code, ...tests]).filter((path) => !IS_UNTYPED.test(path))
  const checks =
    typed.length > 0 ? [finishTool("oxlint", ["--type-aware", "--type-check", "--deny-warnings", ...typed])] : []
  if (tests.length === 0) console.log("No quick tests stand near the change: run its file with npx vitest.")
  // Without a path, vitest runs all tests.
  const passed =
    tests.length === 0 || runTool("vitest", ["run", ...tests.map((path) => join(ROOT, path))], "inherit").status === 0
  const failed = (await Promise.all(checks)).filter(({ status }) => status !== 0)
  for (const { output } of failed) console.log(output)
  if (failed.length > 0 || !passed) throw new Failure("The change is not ready: see above.")
})
