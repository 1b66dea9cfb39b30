// Addresses as texts of the folder write them.

/** Matches `https://a.example/b`, `data:a` and `//a.example/b`. Does not match `/b` and `a/b:c`. */
export const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/** Decodes percent signs; returns a text that they do not make as it is. */
export const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns a host as it is without `www.`. Matches the start of `www.e.x`. */
export const withoutWww = (host: string): string => host.replace(/^www\./, "")

/** Tells whether an address of the web is on a site. Old sites change between `www.e.x` and `e.x`, and between http and https. */
export const isOnSite = ({ protocol, host }: URL, site: URL): boolean =>
  (protocol === "https:" || protocol === "http:") && withoutWww(host) === withoutWww(site.host)
