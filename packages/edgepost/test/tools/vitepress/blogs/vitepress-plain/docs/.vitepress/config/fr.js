export const fr = { lang: "fr-CA", title: "Journal" }
