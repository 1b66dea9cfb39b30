// Measures uploads that arrive at once, at a service of its own on this machine. See README.md.
import { readdirSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { deflateSync } from "node:zlib"

import crc32 from "crc-32"

import { main } from "../../scripts/cli.ts"
import { startBenchService } from "../service.ts"
import { setting } from "../shared.ts"

const SIDE = 1300
const UPLOADS = setting("UPLOADS", 300)

const chunk = (type: string, data: Uint8Array): Buffer => {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeInt32BE(crc32.buf(content))
  return Buffer.concat([length, content, checksum])
}

/** Returns a PNG of about 4 MB: a gradient with noise, whose low bits hardly compress. */
const noisyPng = (): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  header.set([8, 2], 8)
  const rows = Buffer.alloc(SIDE * (3 * SIDE + 1))
  for (let y = 0; y < SIDE; y++)
    for (let i = 0; i < 3 * SIDE; i++) rows[y * (3 * SIDE + 1) + 1 + i] = (i + y) / 40 + Math.random() * 100
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

/** Returns the resident memory of the largest workerd process, in MB. */
const memoryMb = (): number => {
  const sizes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, "utf8")
        return /^Name:\s+workerd/m.test(status) ? Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 : 0
      } catch {
        return 0
      }
    })
  return Math.round(Math.max(...sizes))
}

const times = (count: number): number[] => [...Array(count).keys()]
const print = (name: string, value: string): void => console.log(`| ${name} | ${value} |`)

await main(async () => {
  const { origin, port, newKey, stop } = await startBenchService("UPLOADS_PER_MINUTE:1000")
  const api = `${origin}/api/blogcontroller`
  const [key = "", second = "", third = "", reader = ""] = await Promise.all(["a", "b", "c", "reader"].map(newKey))
  const file = noisyPng()
  const upload = async (by: string) => {
    const form = new FormData()
    form.append("file", new File([new Uint8Array(file)], "noise.png"))
    const began = performance.now()
    const answer = await fetch(`${api}/image-upload/`, { method: "POST", headers: { "X-API-KEY": by }, body: form })
    await answer.arrayBuffer()
    const ms = Math.round(performance.now() - began)
    return { status: answer.status, ms, retrySeconds: Number(answer.headers.get("Retry-After")) }
  }
  const post = { title: "A", slug: "a", status: "PB", categories: "x", meta_description: "x", body: "x" }
  await fetch(`${api}/posts/`, { method: "POST", headers: { "X-API-KEY": reader }, body: JSON.stringify(post) })
  const readPage = async (): Promise<number> => {
    const began = performance.now()
    await (await fetch(`${origin}/@reader/a/`)).text()
    return Math.round(performance.now() - began)
  }

  const untilAccepted = async (by: string): Promise<number> => {
    const began = performance.now()
    while ((await upload(by)).status !== 201) await sleep(50)
    return Math.round(performance.now() - began)
  }
  /** Sends the beginning of an upload. @returns a function that breaks the connection */
  const stall = (by: string) => {
    const socket = connect(port, "127.0.0.1").on("error", () => {})
    socket.write(
      `POST /api/blogcontroller/image-upload/ HTTP/1.1\r\nHost: localhost:${port}\r\nX-API-KEY: ${by}\r\n` +
        "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 4000000\r\n\r\n--x\r\n",
    )
    return () => void socket.destroy()
  }

  try {
    await upload(key)
    print("bytes of the image", String(file.length))
    for (const _ of times(10)) await readPage()
    const idle = await Promise.all(times(1).map(readPage))
    print("a page, idle", `${idle.join()} ms`)
    print("one upload", `${(await upload(key)).ms} ms`)

    const ten = await Promise.all(times(10).map(() => upload(key)))
    const busy = ten.filter(({ status }) => status === 503)
    print(
      "ten at once, one account",
      `${ten.length - busy.length} accepted, ${busy.length} busy within ${Math.max(...busy.map(({ ms }) => ms))} ms`,
    )

    const over = new AbortController()
    const pages: number[] = []
    const reading = (async () => {
      while (!over.signal.aborted) pages.push(await readPage())
    })()
    const three = await Promise.all([key, second, third].map(upload))
    over.abort()
    await reading
    print(
      "three at once, three accounts",
      `${three.map(({ status, ms }) => `${status} in ${ms} ms`).join(", ")}; a page meanwhile at most ${Math.max(...pages)} ms`,
    )

    let tries = 0
    const began = performance.now()
    await Promise.all(
      times(10).map(async () => {
        for (;;) {
          tries += 1
          const { status, retrySeconds } = await upload(key)
          if (status === 201) return
          await sleep(retrySeconds * 1000)
        }
      }),
    )
    print(
      "ten, honouring Retry-After",
      `all accepted after ${Math.round((performance.now() - began) / 1000)} s, ${tries} tries`,
    )

    const breaks = [key, second, third].map(stall)
    await sleep(500)
    const { status, ms } = await upload(reader)
    print("a fourth beside three stalled bodies", `${status} in ${ms} ms`)
    for (const breakOff of breaks) breakOff()
    print("the same after the three have disconnected", `accepted after ${await untilAccepted(reader)} ms`)
    for (const by of [key, second, third]) stall(by)
    await sleep(500)
    print("the same beside three that stay", `accepted after ${await untilAccepted(reader)} ms`)

    const before = memoryMb()
    for (const i of times(UPLOADS)) await upload([key, second, third, reader][i % 4] ?? key)
    print(`memory of workerd before and after ${UPLOADS} uploads`, `${before} MB, ${memoryMb()} MB`)
  } finally {
    await stop()
  }
})
