export default { site: "https://drawn.example" }
