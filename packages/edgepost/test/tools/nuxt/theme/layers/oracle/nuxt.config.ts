// Without scripts a page has no other data than that of the theme.
export default defineNuxtConfig({
  content: { experimental: { sqliteConnector: "native" } },
  features: { noScripts: true },
  nitro: { prerender: { routes: ["/all-pages"] } },
  telemetry: false,
})
