export default { title: "Drawn", lang: "en", sitemap: { hostname: "https://drawn.example" }, srcExclude: ["parts/**"] }
