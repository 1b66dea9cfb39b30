export default (config) => {
  config.ignores.add("content/ignored/**")
  config.addPreprocessor("drafts", "*", (data) => (data.draft ? false : undefined))
  return { dir: { input: "content" } }
}
