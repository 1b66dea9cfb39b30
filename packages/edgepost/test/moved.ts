import { request } from "node:http"

import { expect } from "vitest"

import { operate, origin } from "../../../test/e2e/support.ts"

// Readers ask a blog that has moved in, with its own host, for the addresses of the old site.

/** Asks for a path of a host, as a browser does that is led to the service. @returns the status, and where it leads */
const ask = (host: string, path: string): Promise<[status: number, location: string | null]> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(origin)
    const sent = request({ host: "localhost", port, path, headers: { Host: host } }, (answer) => {
      answer.resume()
      resolve([answer.statusCode ?? 0, answer.headers.location ?? null])
    })
    sent.on("error", reject)
    sent.end()
  })

/**
 * Gives the blog of an account its own host. Expects each old address to be the page of a post, or to lead to it in one hop.
 * @param addresses old addresses, each with the slug of its post
 */
export const expectMoved = async (username: string, addresses: [address: string, slug: string][]): Promise<void> => {
  const host = `${username}.example`
  expect(await operate("PATCH", `${username}/`, { blog_host: host })).toMatchObject({ status: 200 })
  let asked = 0
  for (const [address, slug] of addresses) {
    // Drafts and posts ahead have no page.
    if ((await ask(host, `/${slug}/`))[0] !== 200) continue
    asked += 1
    const [status, location] = await ask(host, address)
    const page = location === null ? address : new URL(location).pathname
    const isPage = expect.stringMatching(new RegExp(`^/${slug}/?(?:[a-z-]+/)?$`, "i"))
    expect([status, page], address).toEqual([location === null ? 200 : 301, isPage])
    expect(await ask(host, page), address).toEqual([200, null])
  }
  expect(asked).toBeGreaterThan(0)
}
