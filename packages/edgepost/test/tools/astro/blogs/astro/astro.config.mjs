export default { site: "https://orchard.example", i18n: { defaultLocale: "en", locales: ["en"] } }
