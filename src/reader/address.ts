/** Returns the absolute URL of a blog. @param origin of readers' pages @param rest the path below, such as `feed.atom` */
export const blogUrl = (origin: string, username: string, rest = ""): string => `${origin}/@${username}/${rest}`

/** The two kinds of lists beside the blog itself. */
export type ListKind = "tags" | "categories"

/** Returns the absolute URL of the posts with a tag or in a category. */
export const listUrl = (origin: string, username: string, kind: ListKind, name: string): string =>
  blogUrl(origin, username, `${kind}/${encodeURIComponent(name)}/`)
