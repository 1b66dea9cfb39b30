export default defineNuxtConfig({
  modules: ["@nuxt/content"],
  compatibilityDate: "2026-01-01",
  site: { url: "https://lake.example", name: "Lake log" },
  app: { head: { htmlAttrs: { lang: "en-GB" } } },
})
