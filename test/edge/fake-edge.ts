import type { AtEdge } from "../support.ts"

// The edge's cache, which no local machine has, as Cloudflare documents it: developers.cloudflare.com/workers/cache. An answer is
// kept by what its `Cloudflare-CDN-Cache-Control` says, below the entrypoint's props, its path and its query, at each site alone.

interface Kept {
  body: ArrayBuffer
  init: ResponseInit
  at: number
  fresh: number
  stale: number
  tags: string[]
}

/** Reads the seconds of a directive; 0 without it. */
const secondsOf = (lifetime: string, directive: string): number =>
  Number(new RegExp(`(?:^|[ ,])${directive}=(\\d+)`).exec(lifetime)?.[1] ?? 0)

/** The edge with some sites. */
export class FakeEdge {
  readonly #sites: Map<string, Kept>[]
  /** How the last request was answered. */
  status: "HIT" | "MISS" | "UPDATING" | "BYPASS" | "never asked" = "never asked"
  /** True if it removes nothing, as after too many calls. */
  isRefusing = false

  constructor(sites: number) {
    this.#sites = Array.from({ length: sites }, () => new Map())
  }

  /** The paths that a site keeps, with their origins. */
  keys(): string[] {
    return this.#sites.flatMap((site) => [...site.keys()])
  }

  /** Returns the cache of a site before `Reader`. */
  at(site: number): AtEdge {
    const kept = this.#sites[site] ?? new Map<string, Kept>()
    return (reader, origin) => {
      const fill = async (key: string, request: Request): Promise<Response> => {
        const answer = await reader.fetch(request)
        const lifetime = answer.headers.get("Cloudflare-CDN-Cache-Control")
        // Without the header, the edge would guess a lifetime.
        if (lifetime === null) throw new Error(`The answer to ${key} does not say how long it may be kept.`)
        const [fresh, stale] = [secondsOf(lifetime, "max-age"), secondsOf(lifetime, "stale-while-revalidate")]
        const tags = (answer.headers.get("Cache-Tag") ?? "").split(",")
        if (lifetime === "no-store" || request.method !== "GET") kept.delete(key)
        else {
          // Bytes, since no request may read the streams of another.
          const init = { status: answer.status, headers: [...answer.headers] as [string, string][] }
          kept.set(key, { body: await answer.clone().arrayBuffer(), init, at: Date.now(), fresh, stale, tags })
        }
        this.status = lifetime === "no-store" ? "BYPASS" : "MISS"
        return answer
      }
      return {
        fetch: async (request) => {
          // Otherwise what the entrypoint redirects to is fetched here, and kept in its place.
          if (request.redirect !== "manual") throw new Error("A redirect would be followed.")
          const { pathname, search } = new URL(request.url)
          const key = `${origin}${pathname}${search}`
          const found = kept.get(key)
          const age = found ? (Date.now() - found.at) / 1000 : Infinity
          if (!found || age >= found.fresh + found.stale) return fill(key, request)
          const answer = new Response(found.body, found.init)
          const isFresh = age < found.fresh
          // While it gets a new one, the edge answers with the old one.
          if (!isFresh) await fill(key, request).then((unused) => unused.body?.cancel())
          this.status = isFresh ? "HIT" : "UPDATING"
          return answer
        },
        purge: (tags) => {
          if (this.isRefusing) return Promise.reject(new Error("Too many purges."))
          for (const entries of this.#sites)
            for (const [key, one] of entries) if (one.tags.some((tag) => tags.includes(tag))) entries.delete(key)
          return Promise.resolve()
        },
      }
    }
  }
}
