export default { title: "Drawn", url: "https://drawn.example", baseUrl: "/", staticDirectories: ["static"] }
