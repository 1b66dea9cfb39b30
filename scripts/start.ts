// Starts the service on this machine and prints the URL of a blog with a post, a link to the settings, a key and calls to paste.
import { Failure, main, messageOf } from "./cli.ts"
import { publishExampleOnce } from "./example.ts"
import { type DemoAccount, makeDemoAccount, startService, USERNAME } from "./service.ts"
import { readWorkflow } from "./workflow.ts"

const CRON_MS = 60_000

/** Runs the scheduled job every minute, since wrangler dev does not. */
const runCron = (origin: string): void => {
  setInterval(() => void fetch(`${origin}/cdn-cgi/local/scheduled`).catch(console.error), CRON_MS).unref()
}

/** Publishes the example if the blog is empty. The service is useful without it, so an error is only printed. */
const fillBlog = async (origin: string, { key }: DemoAccount): Promise<void> => {
  try {
    await publishExampleOnce({ origin, key })
  } catch (error) {
    console.warn(`
Warning: the example post was not published. ${messageOf(error)}
The service runs without this post. The next start tries again if the blog is still empty.`)
  }
}

/** Returns the address of the blog as its posts have it: READER_ORIGIN may differ from `origin`. */
const findBlogUrl = async (origin: string, { key }: DemoAccount): Promise<string> => {
  const path = "/api/blogcontroller/posts/?status=PB&limit=1"
  const answer = await fetch(`${origin}${path}`, { headers: { "X-API-KEY": key } })
  const { posts = [] } = await answer.json<{ posts?: { url: string | null }[] }>()
  const url = posts[0]?.url
  return url ? new URL("..", url).href : `${origin}/@${USERNAME}/`
}

const greeting = (origin: string, blogUrl: string, { key, signInUrl }: DemoAccount): string => {
  const { upload, create, publish, translations, read, look, delete: remove = "" } = readWorkflow()
  return `
Open this blog in a browser: ${blogUrl}

This link opens the blog settings of the paid account \`${USERNAME}\` in a browser, once, within 15 minutes:
${signInUrl}

This is the account's key. The next start uses it again.
Paste these lines in a second terminal, in this folder:

export BASE=${origin}
export KEY=${key}

# 1. Upload an image.
${upload}

# 2. Create a draft that shows it.
${create}

# 3. Publish it, in two more languages.
${publish}

# 4. Print the state of the translations until both are ready.
${translations}

# 5. Read the post.
${read}

# 6. List its pages, to open them in a browser.
${look}

# 7. Delete the post: paste the next line without its #.
${remove.replaceAll(/^/gm, "# ")}

All calls: ${origin}/docs/. Stop: Ctrl-C.
`
}

await main(async () => {
  const service = await startService(process.argv.slice(2))
  const { origin, log, ended, stop } = service
  try {
    const account = await makeDemoAccount(service)
    await fillBlog(origin, account)
    console.log(greeting(origin, await findBlogUrl(origin, account), account))
    console.log(`Ready on ${origin}`)
    log.isFollowed = true
    runCron(origin)
    if (!(await ended).wasStopped) throw new Failure("wrangler dev has ended by itself.")
  } finally {
    await stop()
  }
})
