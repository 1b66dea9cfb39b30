/** The Content-Security-Policy of readers' pages: no script, and images and styles of this origin alone. */
export const READER_POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
].join("; ")

/** The headers of every answer below `/preview/`. */
export const PREVIEW_HEADERS = [
  ["X-Robots-Tag", "noindex"],
  ["Cache-Control", "no-store"],
  // The address is the secret.
  ["Referrer-Policy", "no-referrer"],
] as const
