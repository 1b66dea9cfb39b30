export default {
  title: "Traps",
  url: "https://traps.example",
  baseUrl: "/tea/",
  trailingSlash: false,
  presets: [["classic", { blog: { routeBasePath: "journal", exclude: ["**/secret/**", "*.wip.md"] } }]],
}
