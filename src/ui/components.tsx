import type { Child } from "hono/jsx"

import type { Account, ApiKey } from "../db/schema.ts"
import { MAX_STORED_BYTES } from "../limits.ts"

/** A time as a person reads it, in UTC: nobody knows the reader's zone here. */
export const Time = ({ at }: { at: Date }) => (
  <time datetime={at.toISOString()}>
    {new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(at)} UTC
  </time>
)

export const Day = ({ at }: { at: Date }) => (
  <time datetime={at.toISOString()}>
    {new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(at)}
  </time>
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
  /** Writes a number; with commas if omitted. */
  write?: (count: number) => string
}

const count = (number: number): string => new Intl.NumberFormat("en").format(number)

/** Shows how much of a limit is used. */
export const Usage = ({ id, label, used, limit, write = count }: UsageProps) => (
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

/** Bytes as a person reads them. */
export const writeBytes = (bytes: number): string => {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  const style = { style: "unit", unit: UNITS[power] ?? "byte", maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat("en", style).format(bytes / 1000 ** power)
}

type Limited = Pick<Account, "stored_bytes"> & { characters: number; charactersPerDay: number }

/** Shows the space that is used, and today's characters. */
export const Usages = ({ stored_bytes, characters, charactersPerDay }: Limited) => (
  <>
    <Usage id="storage" label="Space for pictures" used={stored_bytes} limit={MAX_STORED_BYTES} write={writeBytes} />
    <Usage id="characters" label="Characters translated today (UTC)" used={characters} limit={charactersPerDay} />
  </>
)

export type LiveKey = Pick<ApiKey, "last_four" | "created_at" | "last_used_at">

/** Describes a key without showing it. */
export const KeyFacts = ({ live }: { live: LiveKey }) => (
  <>
    A key that ends in <code>{live.last_four}</code>, made <Time at={live.created_at} />,{" "}
    {live.last_used_at ? (
      <>
        last used <Time at={live.last_used_at} /> or up to an hour later
      </>
    ) : (
      "not used yet"
    )}
  </>
)

interface SecretProps {
  id: string
  label: string
  value: string
  children?: Child
}

/** A secret that was just made, with what to know of it: the only time that it is shown. */
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

/** A link to what does not fit on the page. */
export const More = ({ href, children }: { href: string; children?: Child }) => (
  <nav aria-label="More">
    <a href={href}>{children}</a>
  </nav>
)
