export type Field = "title" | "meta_description" | "body"

export interface ExportedText extends Record<Field, string | null> {
  slug: string
  status: "DF" | "PB"
  categories: string[]
  tags: string[]
  primary_language: string
  translation_languages: string[]
  image_ids: string[]
  lang_code: string
  own_language: boolean
  edited: Field[]
  stale: Field[]
}

export interface Archive {
  manifest: {
    format_version: number
    username: string
    posts: number
    texts: number
    pictures: number
    missing_pictures: number
    next_cursor: string | null
  }
  listPosts(): AsyncGenerator<ExportedText[]>
  readPicture(id: string): Promise<Uint8Array<ArrayBuffer> | null>
}

export function readMarkdown(file: string): ExportedText
export function openArchive(blob: Blob): Promise<Archive>
