/** The documented Content-Security-Policy of readers' pages. */
export const READER_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
