import { once } from "node:events"
import { createServer } from "node:net"

import { Failure } from "./cli.mjs"

// Where wrangler listens when it is told `localhost`.
const HOST = "127.0.0.1"

const tryPort = async (port) => {
  const server = createServer().listen({ port, host: HOST })
  await once(server, "listening")
  const bound = server.address().port
  server.close()
  await once(server, "close")
  return bound
}

/** A port that nobody listens on. */
export const freePort = () => tryPort(0)

/** wrangler would take another port without a word when its default one is taken. */
export const requireFree = async (port) => {
  try {
    await tryPort(Number(port))
  } catch (error) {
    if (error.code !== "EADDRINUSE") throw error
    throw new Failure(`Port ${port} is taken. Choose another: npm start -- --port ${Number(port) + 1}`)
  }
}
