// Measures uploads that arrive at once, at a service of its own on this machine. See README.md.
import { readdirSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { deflateSync } from "node:zlib"

import crc32 from "crc-32"

import { main } from "../../scripts/cli.ts"
import { startBenchService } from "../service.ts"
import { median, setting } from "../shared.ts"

/** Pixels of the width and height of an image of about 2 MB. */
const SIDE = 900
const UPLOADS = setting("UPLOADS", 300)
/** Services that are started for each side of the comparison of memory. */
const MEMORY_ROUNDS = setting("MEMORY_ROUNDS", 3)

const chunk = (type: string, data: Uint8Array): Buffer => {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeInt32BE(crc32.buf(content))
  return Buffer.concat([length, content, checksum])
}

/** Returns a PNG of about 2 MB: a gradient with noise, whose low bits hardly compress. */
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

const statusOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8")
  } catch {
    return ""
  }
}

/** Tells whether a process, or one that has started it, is this one's child. */
const isOwn = (status: string): boolean => {
  const parent = /^PPid:\s+(\d+)/m.exec(status)?.[1] ?? "0"
  return parent === String(process.pid) || (parent !== "0" && isOwn(statusOf(parent)))
}

/** Returns the resident memory of the service's largest workerd process, in MB. */
const memoryMb = (): number => {
  const sizes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(statusOf)
    .filter((status) => /^Name:\s+workerd/m.test(status) && isOwn(status))
    .map((status) => Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  return Math.round(Math.max(0, ...sizes))
}

const times = (count: number): number[] => [...Array(count).keys()]
const print = (name: string, value: string): void => console.log(`| ${name} | ${value} |`)
const elapsed = (began: number): number => Math.round(performance.now() - began)

/** Starts a service. @returns what a bench asks of it */
const start = async (...vars: string[]) => {
  const { origin, port, newKey, stop } = await startBenchService(...vars)
  const api = `${origin}/api/blogcontroller`
  const send = (by: string, path: string, body: BodyInit) =>
    fetch(`${api}/${path}/`, { method: "POST", headers: { "X-API-KEY": by }, body })
  /** Uploads an image of its own bytes. */
  const upload = async (by: string) => {
    const form = new FormData()
    form.append("file", new File([new Uint8Array(noisyPng())], "noise.png"))
    const began = performance.now()
    const answer = await send(by, "image-upload", form)
    await answer.arrayBuffer()
    return { status: answer.status, ms: elapsed(began) }
  }
  const newBlog = async (): Promise<() => Promise<number>> => {
    const post = { title: "A", slug: "a", status: "PB", categories: "x", meta_description: "x", body: "x" }
    await send(await newKey("reader"), "posts", JSON.stringify(post))
    return async () => {
      const began = performance.now()
      await (await fetch(`${origin}/@reader/a/`)).text()
      return elapsed(began)
    }
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
  return { newKey, stop, upload, newBlog, stall }
}

/** Calls a function again and again while something goes on. @returns the largest result */
const largestDuring = async (going: Promise<unknown>, measure: () => number | Promise<number>): Promise<number> => {
  const over = going.then(() => null)
  let largest = 0
  while ((await Promise.race([over, sleep(5, "going on")])) !== null) largest = Math.max(largest, await measure())
  return largest
}

/** Returns the most memory of a new service, in MB, while an account's ten uploads are sent. */
const memoryOf = async (isAtOnce: boolean): Promise<number> => {
  const { newKey, stop, upload } = await start()
  try {
    const key = await newKey("a")
    const sending = isAtOnce
      ? Promise.all(times(10).map(() => upload(key)))
      : (async () => {
          for (const _ of times(10)) await upload(key)
        })()
    return await largestDuring(sending, memoryMb)
  } finally {
    await stop()
  }
}

await main(async () => {
  const memory: Record<string, number[]> = { "one after another": [], "at once": [] }
  for (const _ of times(MEMORY_ROUNDS)) {
    memory["one after another"]?.push(await memoryOf(false))
    memory["at once"]?.push(await memoryOf(true))
  }
  const [alone, atOnce] = Object.values(memory).map(median) as [number, number]
  const { newKey, stop, upload, newBlog, stall } = await start("UPLOADS_PER_MINUTE:10")
  try {
    const readPage = await newBlog()
    const [warm = "", a = "", b = "", ...others] = await Promise.all(times(8).map((i) => newKey(`author-${i}`)))
    for (const _ of times(5)) await upload(warm)
    print("bytes of the image", String(noisyPng().length))
    print("a page, idle", `${median(await Promise.all(times(20).map(readPage)))} ms`)
    const one = await upload(warm)
    print("one upload", `${one.ms} ms`)

    const ended: string[] = []
    const note = async (by: string, name: string) => {
      const { status } = await upload(by)
      ended.push(`${name}${status === 201 ? "" : status}`)
    }
    const began = performance.now()
    const twenty = Promise.all(times(10).flatMap(() => [note(a, "a"), note(b, "b")]))
    const page = await largestDuring(twenty, readPage)
    print("ten at once by each of two accounts, in the order of their answers", ended.join(" "))
    print("all twenty", `${elapsed(began)} ms; a page meanwhile at most ${page} ms`)
    const eleventh = await upload(a)
    print("an eleventh", `${eleventh.status} in ${eleventh.ms} ms`)
    print(
      "most memory of ten at once beside one after another",
      `${atOnce} MB, ${alone} MB: ${(atOnce / alone).toFixed(2)} times`,
    )

    const [c = "", d = "", e = "", late = "", last = ""] = others
    const breaks = [c, d, e].flatMap((by) => times(10).map(() => stall(by)))
    await sleep(500)
    const fourth = await upload(late)
    print("beside three accounts with ten uploads of five bytes each", `${fourth.status} in ${fourth.ms} ms`)
    for (const breakOff of breaks) breakOff()
    const after = await upload(last)
    print("after these have disconnected", `${after.status} in ${after.ms} ms`)
  } finally {
    await stop()
  }
  const many = await start("UPLOADS_PER_MINUTE:1000")
  try {
    const keys = await Promise.all(times(4).map((i) => many.newKey(`author-${i}`)))
    const send = async () => {
      for (const i of times(UPLOADS)) await many.upload(keys[i % 4] ?? "")
    }
    await many.upload(keys[0] ?? "")
    const before = memoryMb()
    const most = await largestDuring(send(), memoryMb)
    print(
      `memory of workerd around ${UPLOADS} uploads`,
      `${before} MB before, at most ${most} MB, ${memoryMb()} MB after`,
    )
  } finally {
    await many.stop()
  }
})
