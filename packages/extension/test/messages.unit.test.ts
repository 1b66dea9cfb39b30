import { expect, test } from "vitest"

import { explain, explainUnreadable } from "../src/messages.ts"

const NOW = Date.parse("2026-11-26T12:00:00Z")
const FACTS = { code: "busy" as const, status: 503, detail: "Details.", errors: [], retryAfter: null }
const INVALID = { code: "validation_error", status: 400 } as const

test.each<[string, Partial<Parameters<typeof explain>[0]>, string | RegExp]>([
  ["without an answer", { code: "unreachable", status: 0 }, /^https:\/\/blog\.example does not answer\./],
  [
    "with a revoked key",
    { code: "unauthorized", status: 401 },
    /draft key at https:\/\/blog\.example\/settings\/keys\//,
  ],
  ["with a key of another scope", { code: "insufficient_scope", status: 403 }, /Make a key of the scope “draft”/],
  ["without paid time", { code: "subscription_required", status: 403 }, /no paid time/],
  ["of a restricted account", { code: "account_restricted", status: 403 }, /^The operator has .* account: Details\./],
  ["of another author's post", { code: "not_the_author", status: 403 }, "The service refuses this: Details."],
  ["of a draft that was changed meanwhile", { code: "version_conflict", status: 412 }, /^The draft was changed/],
  ["beyond a limit", { code: "rate_limited", status: 429, retryAfter: 37 }, /Try again in 37 seconds, at .*:00:37/],
  ["shortly beyond a limit", { code: "rate_limited", status: 429, retryAfter: 0.5 }, /Try again in 1 second, at /],
  ["far beyond a limit", { code: "rate_limited", status: 429, retryAfter: 900 }, /again in 15 minutes, at .*:15:00/],
  ["of a busy service", {}, /too busy.*Try again in a minute\.$/],
  ["that broke", { code: "internal_error", status: 500 }, "The service has failed (500). Try again in a minute."],
  ["with wrong fields", { errors: [{ field: "slug", code: "x", message: "Wrong." }], ...INVALID }, "slug: Wrong."],
  ["for another reason", { code: "body_too_complex", status: 400 }, "Details."],
])("a failed call %s is explained", (_, facts, said) =>
  expect(explain({ ...FACTS, ...facts }, "https://blog.example", NOW)).toMatch(said),
)

test.each([
  [/page of the browser itself/, ["chrome://settings/", "about:addons", "", "https://addons.mozilla.org/"]],
  [/page of the browser itself/, ["https://chromewebstore.google.com/detail/x"]],
  [/Allow access to file URLs/, ["file:///home/ann/a.html"]],
  [/PDF file/, ["https://a.example/b.PDF#page=2"]],
  [/does not let extensions read this page/, ["https://a.example/b"]],
])("a page that cannot be read is explained with %s: %j", (said, addresses) => {
  for (const address of addresses) expect(explainUnreadable(address), address).toMatch(said)
})
