export default { title: "Drawn", lang: "en" }
