export default {
  title: "Traps",
  url: "https://traps.example",
  baseUrl: "/tea/",
  i18n: { defaultLocale: "en", locales: ["en", "fr"], localeConfigs: { fr: { path: "francais" } } },
}
