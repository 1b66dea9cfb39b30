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
    if (error.code === "ERR_SOCKET_BAD_PORT") throw new Failure("--port must be a number from 1 to 65535.")
    if (error.code !== "EADDRINUSE") throw error
    throw new Failure(
      `Port ${port} is taken, perhaps by another \`npm start\`. A second one needs a port and a store of its own:\n` +
        `npm start -- --port ${Number(port) + 1} --persist-to ../edgepost-2`,
    )
  }
}
