declare module "*.md?raw" {
  const text: string
  export default text
}
declare module "*.txt?raw" {
  const text: string
  export default text
}

declare module "*.toml?raw" {
  const text: string
  export default text
}

/** Vite's: the texts of files, by their paths. */
interface ImportMeta {
  glob: <T>(pattern: string, options: { query: string; import: string; eager: true }) => Record<string, T>
}

declare module "*/_headers?raw" {
  const text: string
  export default text
}
