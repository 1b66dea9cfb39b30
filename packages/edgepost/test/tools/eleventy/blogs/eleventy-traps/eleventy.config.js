export default (config) => {
  config.ignores.add("content/blog/notes/**")
  return { dir: { input: "content", includes: "parts" } }
}
