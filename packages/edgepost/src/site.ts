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

/** Tells whether an address of the web is on a site. Old sites change between `www.e.x` and `e.x`, and between http and https. */
export const isOnSite = ({ protocol, host }: URL, site: URL): boolean => {
  // Matches `www.` at the start of `www.e.x`.
  const [own, other] = [host, site.host].map((each) => each.replace(/^www\./, ""))
  return (protocol === "https:" || protocol === "http:") && own === other
}
