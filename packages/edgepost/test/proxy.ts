import { once } from "node:events"
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What the proxy does with a request: an answer of its own, or the connection cut before the service sees it or before it answers. */
export type Fault = { status: number; headers?: Record<string, string>; body?: object } | "cut before" | "cut after"

export interface Proxy {
  origin: string
  /** What was asked, such as `PUT posts/a/` and `DRY-RUN PUT posts/a/`, in order. */
  requests: string[]
  /** The bodies of these requests as far as they were read, as text. */
  bodies: string[]
  /** Decides what happens to the request of a number, from 0. @param gone resolves when its client has left */
  fault: (number: number, request: string, gone: Promise<unknown>) => Fault | undefined | Promise<Fault | undefined>
  close: () => Promise<void>
}

/** Lets a server listen on this computer. @returns its origin */
export const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const forward = (to: string, incoming: IncomingMessage, answer: ServerResponse, isCut: boolean): void => {
  const { method, url, headers } = incoming
  const outgoing = request(
    new URL(url ?? "", to),
    { method, headers: { ...headers, host: new URL(to).host } },
    (found) => {
      if (isCut) {
        found.resume()
        found.once("end", () => answer.destroy())
        return
      }
      answer.writeHead(found.statusCode ?? 502, found.headers)
      found.pipe(answer)
    },
  )
  outgoing.once("error", () => answer.destroy())
  incoming.pipe(outgoing)
}

/** Starts a proxy before a service that counts the requests and can make them fail. */
export const startProxy = async (to: string): Promise<Proxy> => {
  const proxy: Omit<Proxy, "origin" | "close"> = { requests: [], bodies: [], fault: () => undefined }
  const serve = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", to)
    const name = `${searchParams.has("dry_run") ? "DRY-RUN " : ""}${incoming.method} ${pathname.replace("/api/blogcontroller/", "")}`
    const number = proxy.requests.push(name) - 1
    proxy.bodies[number] = ""
    incoming.on("data", (chunk: Buffer) => (proxy.bodies[number] += chunk.toString()))
    incoming.pause()
    const fault = await proxy.fault(number, name, once(answer, "close"))
    if (fault === "cut before") incoming.socket.destroy()
    else if (fault === undefined || fault === "cut after") forward(to, incoming, answer, fault === "cut after")
    else {
      incoming.resume()
      answer.writeHead(fault.status, { "Content-Type": "application/problem+json", ...fault.headers })
      answer.end(JSON.stringify({ success: false, ...fault.body }))
    }
  }
  const server = createServer((incoming, answer) => void serve(incoming, answer))
  return Object.assign(proxy, {
    origin: await listen(server),
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  })
}

/** Starts a server that answers everything alike. @returns it, and what was asked */
export const startServer = async (answer: (name: string, body: string) => unknown) => {
  const requests: string[] = []
  const server: Server = createServer((incoming, response) => {
    let body = ""
    incoming.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
    incoming.once("end", () => {
      requests.push(`${incoming.method} ${incoming.url}`)
      response
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify(answer(requests.at(-1) ?? "", body)))
    })
  })
  return { origin: await listen(server), requests, close: () => new Promise((done) => server.close(done)) }
}
