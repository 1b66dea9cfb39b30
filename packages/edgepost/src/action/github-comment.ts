import { readFileSync } from "node:fs"

/** Returns the first line of the Action's comment about a folder, by which it finds it again. */
const markOf = (path: string): string => `<!-- edgepost plan of ${encodeURIComponent(path)} -->`
/** GitHub's limit of a comment, in characters. */
export const MAX_COMMENT_CHARS = 65_536

interface Comment {
  id: number
  body?: string
  user?: { type?: string } | null
}

type Environment = Record<string, string | undefined>

/** Returns the number of the pull request that started the workflow, or null. */
const readNumber = (env: Environment): number | null => {
  const event = JSON.parse(readFileSync(env["GITHUB_EVENT_PATH"] ?? "", "utf8")) as {
    pull_request?: { number?: number }
  }
  return event.pull_request?.number ?? null
}

/** Writes the plan of a folder as a comment of the pull request, or changes the comment that an earlier run wrote. @throws Error */
export const writeComment = async (env: Environment, token: string, markdown: string, path: string): Promise<void> => {
  const number = readNumber(env)
  if (number === null) return
  const api = `${env["GITHUB_API_URL"]}/repos/${env["GITHUB_REPOSITORY"]}/issues`
  const call = async (method: string, url: string, body?: object): Promise<unknown> => {
    const answer = await fetch(url, {
      method,
      headers: {
        Accept: "application/vnd.github+json",
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "User-Agent": "edgepost",
        "X-GitHub-Api-Version": "2022-11-28",
      },
      signal: AbortSignal.timeout(30_000),
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${method} ${new URL(url).pathname}.`)
    return answer.json()
  }
  const mark = markOf(path)
  const body = `${mark}\n${markdown}`
  for (let page = 1; ; page += 1) {
    const comments = (await call("GET", `${api}/${number}/comments?per_page=100&page=${page}`)) as Comment[]
    // Only bots' comments: anybody can write the mark.
    const own = comments.find((comment) => comment.user?.type === "Bot" && comment.body?.startsWith(mark))
    if (own) return void (await call("PATCH", `${api}/comments/${own.id}`, { body }))
    if (comments.length < 100) break
  }
  await call("POST", `${api}/${number}/comments`, { body })
}
