import { lookup } from "node:dns"
import type { IncomingMessage } from "node:http"
import { request } from "node:https"
import { BlockList, isIP, type LookupFunction } from "node:net"

import { MAX_IMAGE_FILE_BYTES } from "../images/prepare.ts"

// Downloads images. Their addresses come from the export, so none may lead to this machine or to its network.

/** Returns the bytes of an image. @throws Error that says why there are none */
export type Download = (address: string) => Promise<Buffer>

const TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 5

/** Networks that are not the public internet: RFC 6890, and what maps IPv4 into IPv6. */
const PRIVATE = new BlockList()
for (const network of "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3".split(
  " ",
)) {
  const [address = "", bits] = network.split("/")
  PRIVATE.addSubnet(address, Number(bits))
}
const PUBLIC_IPV6 = new BlockList()
PUBLIC_IPV6.addSubnet("2000::", 3, "ipv6")
for (const network of "2001::/23 2001:db8::/32 2002::/16 3fff::/20".split(" ")) {
  const [address = "", bits] = network.split("/")
  PRIVATE.addSubnet(address, Number(bits), "ipv6")
}

/** Tells whether an IP address is one of the public internet. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) === 4 ? !PRIVATE.check(address) : PUBLIC_IPV6.check(address, "ipv6") && !PRIVATE.check(address, "ipv6")

/** Resolves a name at the connection, so that it cannot lead elsewhere afterwards. */
const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, "", 4)
    const [first] = addresses
    if (!first || addresses.some(({ address }) => !isPublicAddress(address)))
      return done(new Error("The address is in a private network."), "", 4)
    return options.all ? done(null, addresses) : done(null, first.address, first.family)
  })
}

/** Sends a GET request. Redirects are not followed. */
export type Get = (url: URL, signal: AbortSignal) => Promise<IncomingMessage>

const getPublic: Get = (url, signal) =>
  new Promise((done, fail) => {
    const options = { lookup: lookupPublic, signal, agent: false as const, headers: { accept: "image/*" } }
    request(url, options, done).once("error", fail).end()
  })

const readBody = async (response: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_IMAGE_FILE_BYTES) throw new Error(`The file has over ${MAX_IMAGE_FILE_BYTES / 2 ** 20} MiB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Checks an address before it is called. Old posts have addresses with http, of sites that have https now. @throws Error */
const check = (address: string): URL => {
  // Matches the beginning of `http://e.x`. Does not match `https://e.x`.
  const url = new URL(address.replace(/^http:/i, "https:"))
  if (url.protocol !== "https:") throw new Error("The address is not one of the web.")
  // Matches the brackets of `[::1]`.
  if (isIP(url.hostname.replaceAll(/^\[|\]$/g, "")) > 0) throw new Error("The address is a number instead of a name.")
  return url
}

/** Makes a function that downloads images over https, from the public internet alone. @param stop aborts all downloads */
export const openDownload =
  (stop: AbortSignal, get: Get = getPublic): Download =>
  async (address) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)])
    let url = check(address)
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await get(url, signal)
      try {
        const { statusCode = 0, headers } = response
        const isRedirect = statusCode >= 300 && statusCode < 400 && headers.location !== undefined
        if (isRedirect) url = check(new URL(headers.location ?? "", url).href)
        else if (statusCode !== 200) throw new Error(`The site answers ${statusCode}.`)
        else return await readBody(response)
      } finally {
        response.destroy()
      }
    }
    throw new Error(`The address has over ${MAX_REDIRECTS} redirects.`)
  }
