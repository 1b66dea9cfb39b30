import { execFileSync, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"

import { listen } from "../../proxy.ts"

// A stand-in of GitHub for the repositories of a folder: Git by its own server, the files of Git LFS, and four calls of the REST API.

/** Answers with Git's own server, which speaks CGI. */
const serveGit = (root: string, { pathname, search }: URL, request: IncomingMessage, answer: ServerResponse): void => {
  const {
    "content-type": type = "",
    "content-encoding": encoding = "",
    "git-protocol": protocol = "",
  } = request.headers
  const env = {
    ...process.env,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: type,
    HTTP_CONTENT_ENCODING: encoding,
    GIT_PROTOCOL: String(protocol),
  }
  const child = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "inherit"] })
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
  child.once("close", () => {
    const output = Buffer.concat(chunks)
    const end = output.indexOf("\r\n\r\n")
    const lines = output.subarray(0, end).toString().split("\r\n")
    const headers = Object.fromEntries(lines.map((line) => line.split(": ", 2)))
    answer.writeHead(Number.parseInt(headers["Status"] ?? "200", 10), headers).end(output.subarray(end + 4))
  })
}

/** Starts the server. The first folder of an address is a case, the second one of its repositories. */
export const startGitHub = async (root: string) => {
  /** The comment of each case. */
  const comments = new Map<string, string>()
  /** Cases in which the REST API does not answer. */
  const silent = new Set<string>()
  let origin = ""

  const serveApi = async (path: string, request: IncomingMessage): Promise<unknown> => {
    const [, , owner = "", name = "", call, ...rest] = path.split("/")
    const git = (...args: string[]): Buffer =>
      execFileSync("git", args, { cwd: join(root, owner, name), maxBuffer: 2 ** 28 })
    if (silent.has(owner)) throw new Error("Unavailable")
    if (call === "tarball") return git("archive", "--format=tar.gz", `--prefix=${owner}-${name}/`, rest.join("/"))
    if (call === "issues" && request.method === "POST")
      comments.set(owner, (JSON.parse(await text(request)) as { body: string }).body)
    if (call === "issues") return []
    if (call !== "compare") return { default_branch: "main" }
    const [base = "", head = ""] = rest.join("/").split("...")
    const count = (range: string) => Number(git("rev-list", "--count", range).toString())
    const [ahead, behind] = [count(`${base}..${head}`), count(`${head}..${base}`)]
    const names = git("diff", "--name-only", `${base}...${head}`).toString().trim().split("\n")
    const status = ahead > 0 ? (behind > 0 ? "diverged" : "ahead") : behind > 0 ? "behind" : "identical"
    return { status, ahead_by: ahead, behind_by: behind, files: names.map((filename) => ({ filename })) }
  }

  /** Answers a client of Git LFS: where the files are, or one of them. */
  const serveLfs = async (repository: string, path: string, request: IncomingMessage): Promise<unknown> => {
    const folder = join(root, repository, ".git/lfs/objects", path.slice(0, 2), path.slice(2, 4))
    if (path !== "objects/batch") return readFileSync(join(folder, path))
    const { objects } = JSON.parse(await text(request)) as { objects: { oid: string; size: number }[] }
    const href = `${origin}/${repository}.git/info/lfs/`
    return { objects: objects.map((one) => ({ ...one, actions: { download: { href: `${href}${one.oid}` } } })) }
  }

  const serve = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "", origin)
    // Matches `/case/blog.git/info/lfs/objects/batch`. Does not match `/case/blog/info/refs`.
    const [, repository, file = ""] = /^\/([^/]+\/[^/]+?)\.git\/info\/lfs\/(.+)$/.exec(url.pathname) ?? []
    const isApi = url.pathname.startsWith("/api/")
    if (!isApi && repository === undefined) return serveGit(root, url, request, answer)
    const path = decodeURIComponent(url.pathname.slice("/api".length))
    const found = await (repository === undefined ? serveApi(path, request) : serveLfs(repository, file, request))
    const type = found instanceof Buffer ? "application/x-gzip" : `application/${isApi ? "" : "vnd.git-lfs+"}json`
    answer.writeHead(200, { "Content-Type": type }).end(found instanceof Buffer ? found : JSON.stringify(found))
  }

  const server = createServer((request, answer) => {
    serve(request, answer).catch((error: unknown) => answer.writeHead(503).end(String(error)))
  })
  origin = await listen(server)
  return { origin, silent, comments, close: () => server.close().closeAllConnections() }
}

export type GitHub = Awaited<ReturnType<typeof startGitHub>>
