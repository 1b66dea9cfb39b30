interface Service {
  /** Renders Markdown as the service does. */
  htmlOf: (markdown: string, options?: { headingIds?: string[] }) => string
  headingIdsIn: (html: string) => string[]
}

// The service is compiled with other options than this package: its types stay out.
const load = async (path: string): Promise<Service> => (await import(/* @vite-ignore */ path)) as Service

const root = new URL("../../../../", import.meta.url).href

export const { htmlOf } = await load(`${root}test/markdown/html.ts`)
export const { headingIdsIn } = await load(`${root}src/markdown/headings.ts`)
