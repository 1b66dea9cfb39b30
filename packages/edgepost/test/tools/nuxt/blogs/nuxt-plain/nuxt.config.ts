export default defineNuxtConfig({
  modules: ["@nuxt/content"],
  compatibilityDate: "2026-01-01",
  app: { baseURL: "/b/" },
  i18n: { defaultLocale: "de", locales: [{ code: "de", language: "de-DE" }, { code: "en", language: "en-GB" }] },
})
