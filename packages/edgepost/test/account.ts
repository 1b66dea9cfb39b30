import { join } from "node:path"

import { afterFile, newFolder } from "../../../test/after-file.ts"
import { type Answer, API, call, newKey, origin } from "../../../test/e2e/support.ts"
import { write } from "./blogs.ts"
import { edgepost, type RunOptions, spawnEdgepost } from "./command.ts"
import { startProxy } from "./proxy.ts"

/** Returns the file of a post. @param fields further lines of its front matter */
export const post = (title: string, body: string, fields = ""): string =>
  `---\ntitle: ${title}\ndate: 2024-01-02\n${fields}---\n\n${body}\n`

/** Makes an account of the service with a folder of posts. Commands speak to the service through a proxy. */
export const newAccount = async (
  username: string,
  { folder, languages = [] }: { folder?: string; languages?: string[] } = {},
) => {
  const root = folder ?? (await newFolder())
  const key = await newKey(username, { translation_languages: languages })
  const proxy = await startProxy(origin)
  afterFile(() => proxy.close())
  const env = { EDGEPOST_URL: proxy.origin, EDGEPOST_API_KEY: key, HOME: root }
  const send = (method: string, path: string, json?: object): Promise<Answer> =>
    call(method, `${API}/${path}`, { headers: { "X-API-KEY": key }, ...(json && { body: JSON.stringify(json) }) })
  return {
    username,
    key,
    root,
    proxy,
    env,
    /** Calls the service as the account. */
    send,
    /** Returns a post as the service has it. */
    read: async (slug: string) => (await send("GET", `posts/${slug}/`)).json.post,
    path: (name: string): string => join(root, name),
    /** Writes files into the folder. */
    write: async (files: Record<string, string | Uint8Array>): Promise<void> => {
      for (const [name, content] of Object.entries(files)) await write(join(root, name), content)
    },
    /** Runs a command line as the account, in this process. */
    run: (args: string[], options: Parameters<typeof edgepost>[1] = {}) =>
      edgepost(args, { ...options, env: { ...env, ...options.env } }),
    /** Starts a command line as the account, in a process of its own. */
    spawn: (args: string[], options: RunOptions = {}) =>
      spawnEdgepost(args, { ...options, env: { ...env, ...options.env } }),
    /** Returns the requests since the last call that write posts and images, in order. */
    writes: (): string[] =>
      proxy.requests.splice(0).filter((request) => !/^GET |^PUT account\/redirects\//.test(request)),
  }
}

export type Account = Awaited<ReturnType<typeof newAccount>>
