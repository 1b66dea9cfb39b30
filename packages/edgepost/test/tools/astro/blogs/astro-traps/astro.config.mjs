export default {
  site: "https://traps.example",
  base: "/tea",
  trailingSlash: "never",
  i18n: { defaultLocale: "en", locales: ["en", "fr"] },
}
