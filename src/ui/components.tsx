import type { Child } from "hono/jsx"

import type { Account } from "../db/schema.ts"
import { MAX_COUNTED, MAX_STORED_BYTES } from "../limits.ts"

const TIME_STYLE = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const

/** Renders a time with the name of its zone. @param zone IANA name */
export const Time = ({ at, zone = "UTC" }: { at: Date; zone?: string }) => (
  <time datetime={at.toISOString()}>{new Intl.DateTimeFormat("en", { ...TIME_STYLE, timeZone: zone }).format(at)}</time>
)

/** Renders the day of a time in UTC, such as `November 26, 2026`. */
export const CalendarDay = ({ at }: { at: Date }) => (
  <time datetime={at.toISOString()}>
    {new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(at)}
  </time>
)

interface PostProps {
  post: { title: string | null; status: "DF" | "PB"; scheduled: boolean; url: string | null }
}

/** Renders the title of a post, which links to its page once readers see it. */
export const PostTitle = ({ post: { title, status, url } }: PostProps) =>
  status === "PB" && url ? <a href={url}>{title}</a> : <>{title}</>

export const PostState = ({ post: { status, scheduled } }: PostProps) => (
  <span class={`state ${status}`}>{scheduled ? "Scheduled" : status === "PB" ? "Published" : "Draft"}</span>
)

interface SectionProps {
  id: string
  title: string
  children?: Child
}

export const Section = ({ id, title, children }: SectionProps) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

interface UsageProps {
  id: string
  label: string
  used: number
  limit: number
  /** Formats a number; by default with commas. */
  write?: (number: number) => string
}

const writeNumber = (number: number): string => new Intl.NumberFormat("en").format(number)

/** Writes a number of things in English: `1 post`, `1,200 posts`. */
export const count = (number: number, name: string): string =>
  `${writeNumber(number)} ${name}${number === 1 ? "" : "s"}`

/** Writes a number of things that `countSome` has counted: `12 posts`, `over 100 posts`. */
export const countUpTo = (number: number, name: string): string =>
  number > MAX_COUNTED ? `over ${count(MAX_COUNTED, name)}` : count(number, name)

/** Renders a meter of the used part of a limit, with both numbers. `write` formats them, by default with commas. */
export const Usage = ({ id, label, used, limit, write = writeNumber }: UsageProps) => (
  <div class="usage">
    <label htmlFor={id}>{label}</label>
    <meter id={id} min={0} max={limit} high={limit * 0.8} value={Math.min(used, limit)}>
      {write(used)}
    </meter>
    <span>
      {write(used)} of {write(limit)}
    </span>
  </div>
)

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const

/** Formats a number of bytes in English with a unit up to gigabytes, each 1024 of the one before: 1,572,864 bytes are `1.5 MB`. */
export const writeBytes = (bytes: number): string => {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1)
  const style = { style: "unit", unit: UNITS[power] ?? "byte", maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat("en", style).format(bytes / 1024 ** power)
}

interface AccountUsageProps {
  account: Pick<Account, "stored_bytes" | "text_bytes">
  textLimit: number
  characters: number
  charactersPerDay: number
}

/** Renders the bytes of an account's images and texts and the characters translated today, each with its limit. */
export const AccountUsage = ({ account, textLimit, characters, charactersPerDay }: AccountUsageProps) => (
  <>
    <Usage
      id="storage"
      label="Space for images"
      used={account.stored_bytes}
      limit={MAX_STORED_BYTES}
      write={writeBytes}
    />
    <Usage id="texts" label="Space for texts" used={account.text_bytes} limit={textLimit} write={writeBytes} />
    <Usage id="characters" label="Characters translated today (UTC)" used={characters} limit={charactersPerDay} />
  </>
)

interface SecretProps {
  id: string
  label: string
  value: string
  children?: Child
}

/** Renders a new secret, which is shown only once, in a field to copy it from, below a notice (`children`). */
export const Secret = ({ id, label, value, children }: SecretProps) => (
  <div class="secret">
    <p>{children}</p>
    <label htmlFor={id}>{label}</label>
    <input id={id} readonly value={value} autocomplete="off" spellcheck={false} />
    <button type="button" data-copy={id} hidden>
      Copy
    </button>
  </div>
)

/** Renders a link to the next page. */
export const More = ({ href, children }: { href: string; children?: Child }) => (
  <nav aria-label="More">
    <a href={href}>{children}</a>
  </nav>
)
