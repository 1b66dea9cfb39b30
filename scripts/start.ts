// Starts the service on this machine and prints a key, and the addresses of a blog with a post and of its settings.
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

import { Failure, main, messageOf } from "./cli.ts"
import { publishExampleOnce } from "./example.ts"
import { type DemoAccount, makeDemoAccount, startService, USERNAME } from "./service.ts"

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

/**
 * Serves, for browsers of this machine alone, an address that leads to a new sign-in link each time it is opened.
 * @returns the address: the port after that of the service, or another one if that is taken
 */
const serveSettings = async (origin: string, { newSignInUrl }: DemoAccount): Promise<string> => {
  const server = createServer((request, answer) => {
    // Another site must not read the link by a name that leads to this machine.
    if (request.headers.host !== `localhost:${port}`) answer.writeHead(403).end()
    else
      newSignInUrl().then(
        (Location) => answer.writeHead(303, { Location, "Cache-Control": "no-store" }).end(),
        (error: unknown) => answer.writeHead(502).end(messageOf(error)),
      )
  })
  const listen = async (wanted: number) => {
    server.listen(wanted, "127.0.0.1")
    await once(server, "listening")
  }
  await listen(Number(new URL(origin).port) + 1).catch(() => listen(0))
  const { port } = server.address() as AddressInfo
  server.unref()
  // A browser keeps its connections open, and would hold up the end.
  server.on("connection", (socket) => socket.unref())
  return `http://localhost:${port}/`
}

const greeting = (origin: string, blogUrl: string, settingsUrl: string, link: string, key: string): string => `
These lines set the address and a key for the calls of README.md ("Publish a post") and docs/api.md ("Example").
Paste them in a second terminal, in this folder:

export BASE=${origin}
export KEY=${key}

Open in a browser, as long as this runs (Ctrl-C stops it):

Blog      ${blogUrl}
Settings  ${settingsUrl} signs you in as \`${USERNAME}\`, to write posts
          ${link} does so once, on another machine
API       ${origin}/docs/
`

await main(async () => {
  const service = await startService(process.argv.slice(2))
  const { origin, log, ended, stop } = service
  try {
    const account = await makeDemoAccount(service)
    await fillBlog(origin, account)
    const [blogUrl, settingsUrl] = await Promise.all([findBlogUrl(origin, account), serveSettings(origin, account)])
    console.log(greeting(origin, blogUrl, settingsUrl, await account.newSignInUrl(), account.key))
    console.log(`Ready on ${origin}`)
    log.isFollowed = true
    runCron(origin)
    if (!(await ended).wasStopped) throw new Failure("wrangler dev has ended by itself.")
  } finally {
    await stop()
  }
})
