import * as z from "zod"

import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { moved } from "../http/operation.ts"
import { countExpensive } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import { LanguageCode } from "../language.ts"
import { wakeDeliveries } from "../posts/commit.ts"
import { approveAll } from "../posts/review-store.ts"
import { newestText } from "../posts/review.ts"
import { approve } from "../translations/change.ts"
import { TranslationParams } from "./input.ts"
import { APPROVE_ALL, doneAt, isConflict, POSTS, writer } from "./post-access.ts"
import { seenText } from "./post-form.ts"
import { getPage, postForm } from "./route.ts"

const APPROVE = `${POSTS}:slug/translations/:lang_code/approve/`

/** The text that the author has seen, as `seenText` returns it. */
const ApprovalForm = z.object({ seen: z.string() })

/** When the author has seen the list, in milliseconds since the epoch: `1795635206581`, not `-1`. */
const SeenAt = z
  .string()
  .regex(/^\d{1,15}$/, "Open the page again.")
  .transform((text) => new Date(Number(text)))
const AllForm = z.object({ lang_code: LanguageCode, seen: SeenAt })

const answerApprove = async (
  c: AppContext,
  { slug, lang_code: lang }: z.output<typeof TranslationParams>,
  seen: string,
) => {
  try {
    await approve(writer(c), { slug, lang }, (text) => {
      if (seen !== seenText(newestText(text))) throw new ApiError("version_conflict")
    })
  } catch (error) {
    // Another text waits by now: the author looks at it first.
    if (isConflict(error)) return c.redirect(doneAt(slug, "outdated", lang), 303)
    throw error
  }
  return c.redirect(doneAt(slug, "approved", lang), 303)
}

const toPosts = { ...getPage, successes: moved("The list of posts") }

export const reviewRoutes = [
  route({ ...postForm, path: APPROVE, params: TranslationParams, body: ApprovalForm }, (c, { params, body }) =>
    answerApprove(c, params, body.seen),
  ),
  // For an author who reloads an answer, or opens the address of a form.
  route({ ...toPosts, path: APPROVE, params: TranslationParams }, (c, { params: { slug } }) =>
    c.redirect(`${POSTS}${slug}/`, 303),
  ),

  route({ ...postForm, path: APPROVE_ALL, body: AllForm }, async (c, { body: { lang_code: lang, seen: seenAt } }) => {
    const write = writer(c)
    await countExpensive(c, "approvals of all that waits")
    const { account, now, checks } = write
    const rules = { accountId: account.id, lang, seenAt, now, isTold: write.tellsWebhooks, checks }
    await approveAll(openDb(c.env.DB), rules)
    wakeDeliveries(write)
    return c.redirect(`${POSTS}?done=approved`, 303)
  }),
  route({ ...toPosts, path: APPROVE_ALL }, (c) => c.redirect(POSTS, 303)),
]
