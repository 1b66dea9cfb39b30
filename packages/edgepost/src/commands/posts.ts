import { addressOf } from "../address.ts"
import { plain } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import { confirm } from "./ask.ts"
import { type Command, type Context, openClient, printResult, readConfigHere } from "./context.ts"

const open = (context: Context) => openClient(context, readConfigHere(context))

/** Shows the account of the key. */
export const whoami: Command = async (context) => {
  const account = await open(context).getAccount()
  const { username, key, paid_until, primary_language, translation_languages } = account
  printResult(context, account, () =>
    [
      `@${username}`,
      `key         ${key?.name ?? ""} (${key?.scope})${key?.expires_at ? `, until ${key.expires_at}` : ""}`,
      `paid until  ${paid_until ?? "not paid"}`,
      `languages   ${primary_language}, translated into ${translation_languages.join(", ") || "none"}`,
    ]
      .map(plain)
      .join("\n"),
  )
  return 0
}

/** Shows a post and its translations; waits for these if asked. */
export const status: Command = async (context) => {
  const [slug = ""] = context.operands
  const client = open(context)
  const translations = context.options.wait
    ? await client.waitForTranslations(slug, { onChange: (list) => context.terminal.progress(stateOf(list)) })
    : (await client.getPost(slug)).post.translations
  const { post } = await client.getPost(slug)
  const state = post.status === "DF" ? "draft" : post.scheduled ? `scheduled for ${post.published_at}` : "published"
  const address = addressOf(post)
  printResult(context, { ...post, translations }, () =>
    [
      `${slug}  ${state}`,
      ...(address === null ? [] : [`  ${address}`]),
      ...translations.map(({ lang_code, status: one, url, error }) =>
        `  ${lang_code.padEnd(8)}${one.padEnd(9)}${error ? error.message : (url ?? "")}`.trimEnd(),
      ),
    ]
      .map(plain)
      .join("\n"),
  )
  return translations.some(({ status: one }) => one === "failed") ? 1 : 0
}

const stateOf = (list: { lang_code: string; status: string }[]): string =>
  list.map(({ lang_code, status: one }) => `${lang_code} ${one}`).join(", ")

/** Deletes a post, if the author is sure. */
export const remove: Command = async (context) => {
  const [slug = ""] = context.operands
  const client = open(context)
  const { post, etag } = await client.getPost(slug)
  if (!context.options.yes) {
    if (!context.stdin.isTTY)
      throw new UsageError("There is no terminal to ask at.", "Give --yes to delete without a question.")
    const question = `Delete “${plain(post.title ?? slug)}” with its ${post.translations.length} translations for good?`
    if (!(await confirm(context, question))) {
      printResult(context, { deleted: null }, () => "Not deleted.")
      return 1
    }
  }
  await client.deletePost(slug, { ifMatch: etag })
  printResult(context, { deleted: slug }, () => `Deleted ${slug}.`)
  return 0
}
