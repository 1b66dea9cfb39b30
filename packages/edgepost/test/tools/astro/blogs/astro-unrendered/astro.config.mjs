export default { site: "https://orchard.example" }
