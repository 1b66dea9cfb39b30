import { callGitHub } from "./github.ts"

/** GitHub's limit of a comment, in characters. */
export const MAX_COMMENT_CHARS = 65_536

interface Comment {
  id: number
  body?: string
  user?: { type?: string } | null
}

/**
 * Writes a plan as a comment of a pull request, or changes the comment that an earlier run wrote.
 * @param subject of the plan: two with the same are one comment; a new one needs an account
 * @throws Error
 */
export const writeComment = async (
  env: Record<string, string | undefined>,
  token: string,
  pullRequest: number,
  markdown: string,
  subject: { path: string; service: string; account: string | null },
): Promise<void> => {
  const { path: folder, service, account } = subject
  const start = `<!-- edgepost plan of ${encodeURIComponent(folder)} for ${service}/@`
  // A plan that failed at its beginning does not know the account.
  const mark = account === null ? start : `${start}${account} -->`
  const seen = new Set<number>()
  for (let page = 1; ; page += 1) {
    const path = `issues/${pullRequest}/comments?per_page=100&page=${page}`
    const comments = (await callGitHub(env, token, "GET", path)) as Comment[]
    // Only bots' comments: anybody can write the mark.
    const own = comments.find((comment) => comment.user?.type === "Bot" && comment.body?.startsWith(mark))
    if (own) {
      const body = `${own.body?.split("\n", 1)[0]}\n${markdown}`
      return void (await callGitHub(env, token, "PATCH", `issues/comments/${own.id}`, { body }))
    }
    const isNew = comments.some(({ id }) => !seen.has(id))
    // The lists of some forges have no pages: each shows the same comments.
    if (comments.length < 100 || !isNew) break
    for (const { id } of comments) seen.add(id)
  }
  if (account !== null)
    await callGitHub(env, token, "POST", `issues/${pullRequest}/comments`, { body: `${mark}\n${markdown}` })
}
