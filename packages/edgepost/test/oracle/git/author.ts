import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

// An author's repository. The server serves its folder itself, so that nothing has to be pushed.

/** The content of files by path: null deletes one, `-> path` makes it a symbolic link. */
export type Tree = Record<string, string | null>

const CONFIG = `[user]
name = Ann
email = ann@b.example
[uploadpack]
allowAnySHA1InWant = true
allowFilter = true
`

/** Makes a repository in a folder. @param suffix what the names of all posts get, since an address belongs to one account */
export const newRepository = (folder: string, suffix: string) => {
  // Matches the name in `posts/tide.md`. Does not match `README`.
  const named = (text: string): string => text.replaceAll(/([a-z]+)\.md\b/g, `$1${suffix}.md`)
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(folder, ".git") }
  /** Runs a bash script in the folder. @returns its output */
  const run = (script: string): string => {
    const args = ["--noprofile", "--norc", "-euo", "pipefail", "-c", named(script)]
    return execFileSync("bash", args, { cwd: folder, env, encoding: "utf8", stdio: "pipe" }).trim()
  }
  mkdirSync(folder, { recursive: true })
  run("git init -q -b main")
  writeFileSync(join(folder, ".git/config"), CONFIG, { flag: "a" })
  return {
    run,
    /** Changes files, runs a script and commits all of it. @returns the commit */
    commit: (tree: Tree, script = ""): string => {
      for (const [path, content] of Object.entries(tree)) {
        const file = join(folder, named(path))
        rmSync(file, { force: true })
        mkdirSync(dirname(file), { recursive: true })
        if (content?.startsWith("-> ")) symlinkSync(named(content.slice(3)), file)
        else if (content !== null) writeFileSync(file, named(content))
      }
      run(`${script}\ngit add -A\ngit commit -q -m "A change"`)
      return run("git rev-parse HEAD")
    },
  }
}

export type Repository = ReturnType<typeof newRepository>
