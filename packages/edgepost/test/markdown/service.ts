interface Service {
  /** Renders Markdown as the service does. */
  htmlOf: (markdown: string, options?: { headingIds?: string[] }) => string
  headingIdsIn: (html: string) => string[]
}

interface Input {
  /** Checks what a request sends, and returns it as the service stores it. */
  CreatePost: { safeParse: (input: unknown) => { success: boolean; data?: Record<string, unknown> } }
}

// The service is compiled with other options than this package: its types stay out.
const load = async <T = Service>(path: string): Promise<T> => (await import(/* @vite-ignore */ path)) as T

const root = new URL("../../../../", import.meta.url).href

export const { htmlOf } = await load(`${root}test/markdown/html.ts`)
export const { headingIdsIn } = await load(`${root}src/markdown/headings.ts`)
export const { CreatePost } = await load<Input>(`${root}src/posts/input.ts`)
