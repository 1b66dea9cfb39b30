import { isAbsolute } from "node:path"

import type { McpServer } from "@modelcontextprotocol/server"
import * as z from "zod"

import type { Client } from "../client/index.ts"
import type { Context } from "../commands/context.ts"
import { openBlog, planBlog } from "../commands/plan.ts"
import { describeText } from "../folder/first-words.ts"
import { makeSlug } from "../folder/slug.ts"
import { DEFAULT_CATEGORY } from "../folder/values.ts"
import { showPlan } from "../plan/screen.ts"
import { plain } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import { findWorkspace } from "../workspace/workspace.ts"
import { dataAnswer, errorAnswer } from "./answer.ts"
import type { GivenEtags } from "./given-etags.ts"
import { changeVersion, createOnce, SEARCH, searchPosts, summaryOf, unquote } from "./posts.ts"

const READ = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const CREATE = { ...READ, readOnlyHint: false }
const CHANGE = { ...CREATE, destructiveHint: true }
/** Marks a tool whose change readers see. */
const PUBLISH = { ...CHANGE, openWorldHint: true }

const text = (about: string) => z.string().describe(about)
const list = (about: string) => z.array(z.string()).optional().describe(about)

const SLUG = { slug: text("The slug of the post.") }
const LANGUAGE = { lang_code: text("BCP 47 code of the text; the source text if omitted.").optional() }
const DRY_RUN = { dry_run: z.boolean().optional().describe("true checks the call, and writes nothing.") }
const VERSION = {
  ...SLUG,
  // Matches `3.1700000000000` and `3.1700000000000.s`. Does not match `3", "4`, which would be two versions.
  etag: text("The etag of read_post, or of the last change.").regex(/^\d+\.\d+(?:\.s)?$/),
  ...DRY_RUN,
}
const TITLE = text("The title.")
const BODY = text("The whole text in Markdown, without the title.")
const FIELDS = {
  meta_description: text("One or two sentences for lists and search engines.").optional(),
  categories: list("The categories, at least one."),
  tags: list("The tags."),
  translation_languages: list("BCP 47 codes of the languages that the service translates into."),
  canonical_url: text("The address of the original, if the post is a copy.").optional(),
  listed: z.boolean().optional().describe("false makes it a page, which no list and no feed shows."),
  changed_at: z.iso.datetime({ offset: true }).optional().describe("When the text last changed; now if omitted."),
  cover_alt: text("What the cover shows, in one line.").optional(),
  cover_caption: text("The words below the cover, in one line.").optional(),
}
const CHANGES = { ...VERSION, ...LANGUAGE, title: TITLE.optional(), body: BODY.optional(), ...FIELDS }

const isAhead = (time: string | null): boolean => Date.parse(time ?? "") > Date.now()

/**
 * Adds the tools that the options allow.
 * @param open makes the client of a call, which its signal ends
 * @param given the etags of this session: a tool that changes a version takes no other
 */
export const addTools = (
  server: McpServer,
  open: (signal: AbortSignal) => Client,
  given: GivenEtags,
  context: Context,
): void => {
  const add = <Shape extends z.ZodRawShape>(
    name: string,
    annotations: typeof READ,
    description: string,
    shape: Shape,
    run: (client: Client, input: z.output<z.ZodObject<Shape>>) => Promise<object | string>,
  ): void => {
    if (context.options["read-only"] && !annotations.readOnlyHint) return
    // A misspelt argument is an error.
    const inputSchema: z.ZodObject<Shape> = z.strictObject(shape)
    const answer = async (signal: AbortSignal, input: z.output<typeof inputSchema>) => {
      given.require(input)
      const result = await run(open(signal), input)
      given.keep(result)
      return dataAnswer(result)
    }
    server.registerTool(name, { description, annotations, inputSchema }, (input, { mcpReq }) =>
      answer(mcpReq.signal, input).catch(errorAnswer),
    )
  }

  const LIST = {
    status: z.enum(["DF", "PB"]).optional().describe("DF: drafts; PB: published and scheduled posts."),
    tag: text("Posts that have this tag.").optional(),
    category: text("Posts in this category.").optional(),
    limit: z.int().min(1).max(100).optional().describe("20 if omitted."),
    cursor: text("The next_cursor of the previous page.").optional(),
  }
  add("list_posts", READ, "Lists the posts, the newest first, without their texts.", LIST, async (client, query) => {
    const { posts, next_cursor } = await client.listPosts(query)
    return { posts: posts.map(summaryOf), next_cursor }
  })

  const WANTED = { query: text("Words or parts of words."), cursor: LIST.cursor }
  add("search_posts", READ, SEARCH, WANTED, (client, { query, cursor }) => searchPosts(client, query, cursor))

  const READS = "Reads a post with its Markdown, its status (DF: draft, PB: published or scheduled) and its etag."
  add("read_post", READ, READS, { ...SLUG, ...LANGUAGE }, async (client, { slug, lang_code }) => {
    const { post, etag } = await client.getPost(slug, { lang_code })
    return { etag: unquote(etag), post: { ...summaryOf(post), body: post.body } }
  })

  add("list_translations", READ, "Shows the state of each translation of a post.", SLUG, async (client, { slug }) => ({
    translations: await client.listTranslations(slug),
  }))

  const PLANS = "Shows what `edgepost publish` would do with a folder of Markdown posts on this computer."
  const FOLDER = {
    path: text("Absolute path of the folder, or of a file in it."),
    check: z.boolean().optional().describe("true sends the texts to the service, to see what readers would not get."),
  }
  add("plan_folder", READ, PLANS, FOLDER, async (client, { path, check }) => {
    // Without a configuration, the folder may hold what is for no reader.
    if (!isAbsolute(path) || findWorkspace(path, context.env).configured === null)
      throw new UsageError(`${path} is in no folder of posts.`, "Ask the user to run `edgepost init` there.")
    const asked = { ...context, operands: [path], options: { check }, now: new Date() }
    const plan = await planBlog(client, await openBlog(asked), asked)
    return showPlan(plan, (_, shown) => plain(shown))
  })

  const DRAFT = {
    title: TITLE,
    body: BODY,
    slug: text("The post's part of its address; made of the title if omitted.").optional(),
    ...FIELDS,
    primary_language: text("BCP 47 code of the text; the account's language if omitted.").optional(),
    ...DRY_RUN,
  }
  const DRAFTS = "Creates a draft, which readers do not see. The same call again creates no second one."
  add("draft_post", CREATE, DRAFTS, DRAFT, (client, { dry_run, ...fields }) => {
    const { title, body } = fields
    const made = { slug: makeSlug([title], title), meta_description: describeText(body) || title }
    return createOnce(client, { ...made, categories: DEFAULT_CATEGORY, ...fields, status: "DF" }, dry_run)
  })

  const UPDATES = "Changes the given fields of a draft. Refuses a post that is published or scheduled."
  add("update_draft", CHANGE, UPDATES, CHANGES, (client, { slug, etag, dry_run, ...fields }) =>
    changeVersion(client, { slug, etag, dry_run }, ({ status }) => {
      if (status === "DF") return fields
      throw new UsageError(`${slug} is published or scheduled.`, "Let the user change it in the settings.")
    }),
  )

  const PUBLISHES = "Publishes a draft or scheduled post now. A past date is kept."
  add("publish_post", PUBLISH, PUBLISHES, VERSION, (client, version) =>
    changeVersion(client, version, ({ status, scheduled, published_at }) => ({
      status: "PB",
      ...((scheduled || (status === "DF" && isAhead(published_at))) && { published_at: null }),
    })),
  )

  const TIME = { published_at: z.iso.datetime({ offset: true }).describe("Such as 2026-12-24T18:00:00+01:00.") }
  const SCHEDULES = "Lets a draft be published at a time ahead, or changes the time of a scheduled post."
  add("schedule_post", PUBLISH, SCHEDULES, { ...VERSION, ...TIME }, (client, { published_at, ...version }) =>
    changeVersion(client, version, ({ status, scheduled }) => {
      if (status === "PB" && !scheduled)
        throw new UsageError(`${version.slug} is published.`, "Let the user unpublish it in the settings first.")
      if (isAhead(published_at)) return { status: "PB", published_at }
      throw new UsageError(`${published_at} is not ahead.`, "Give a later time, or use publish_post.")
    }),
  )

  if (!context.options["enable-destructive"]) return
  add("delete_post", PUBLISH, "Deletes a post with its translations for good.", VERSION, async (client, version) => {
    const { slug, etag, dry_run } = version
    await client.deletePost(slug, { ifMatch: `"${etag}"`, dryRun: dry_run })
    return { dry_run, deleted: dry_run ? null : slug }
  })
}
