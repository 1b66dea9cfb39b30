export default defineNuxtConfig({
  modules: ["@nuxt/content"],
  compatibilityDate: "2026-01-01",
  site: { url: "https://drawn.example", name: "Drawn" },
  app: { head: { htmlAttrs: { lang: "en" } } },
})
