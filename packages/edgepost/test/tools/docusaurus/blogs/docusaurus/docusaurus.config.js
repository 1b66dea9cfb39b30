export default {
  title: "Kiln",
  url: "https://kiln.example",
  baseUrl: "/",
  i18n: { defaultLocale: "en", locales: ["en", "fr"] },
}
