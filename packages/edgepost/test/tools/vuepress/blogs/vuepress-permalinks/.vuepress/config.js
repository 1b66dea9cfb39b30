export default { title: "Pattern log", permalinkPattern: "/:year/:month/:day/:slug.html", locales: { "/": {}, "/de/": { lang: "de" } } }
