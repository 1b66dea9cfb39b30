import type { Archive, ExportedText, Field } from "./archive.mjs"

export interface Answer {
  status: number
  retryAfter: number
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

export interface Options {
  request(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<Answer>
  wait(seconds: number): unknown
  report(kind: "made" | "skipped" | "failed" | "warning", line: string): void
  keep?: boolean
}

interface Plan {
  create: Record<string, unknown>
  patches: { json: Record<string, unknown> & Partial<Record<Field, string>>; isOptional?: boolean }[]
}

export function planPost(texts: ExportedText[], uploads: Map<string, string>, keep?: boolean): Plan
export function mapAddresses(text: ExportedText, username: string, urls: Map<string, string>): ExportedText
export function restore(archive: Archive, options: Options): Promise<Record<"made" | "skipped" | "failed", string[]>>
