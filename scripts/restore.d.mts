import type { Archive, ExportedText, Field } from "./archive.mjs"

type Kind = "made" | "there" | "skipped" | "failed"
type Outcome = Record<Kind, string[]>

export interface Answer {
  status: number
  retryAfter: number
  replayed: boolean
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

export interface Options {
  username: string
  request(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown, key?: string): Promise<Answer>
  wait(seconds: number): unknown
  report(kind: Kind | "warning", line: string): void
  keep?: boolean
}

interface Plan {
  create: Record<string, unknown>
  patches: { json: Record<string, unknown> & Partial<Record<Field, string>>; isOptional?: boolean }[]
}

export function planPost(texts: ExportedText[], uploads: Map<string, string>, keep?: boolean): Plan
export function mapAddresses(
  text: ExportedText,
  usernames: { from: string; to: string },
  urls: Map<string, string>,
): ExportedText
export function restore(archive: Archive, options: Options): Promise<Outcome>
export function complaintOf(outcome: Pick<Outcome, "skipped" | "failed">): string | null
