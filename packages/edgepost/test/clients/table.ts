// The clients that `npm run clients` runs, with what a user has to know of each. docs/reference/clients.md is made of it.

/** What does not work: how the run says it, and what the page says instead, with what a user does. */
interface Gap {
  seen: RegExp
  says: string
}

export interface Row {
  name: string
  /** Exact versions of npm. The page shows the first. */
  npm?: Record<string, string>
  /** Packages of Debian. The page shows the version of the first. */
  debian?: string
  /** A command that makes code from `openapi.json` in its folder. */
  generate?: string
  /** The file in `programs/` that uses it. */
  program: string
  needs: string
  gaps?: Gap[]
}

export const KINDS = {
  generated: {
    title: "Generated from openapi.json",
    about:
      "Each is generated, checked by `tsc --strict`, and then uploads an image, creates a post, publishes it, waits for two translations, lists posts, adds a term to the glossary and deletes the post.",
  },
  http: {
    title: "HTTP",
    about:
      "Each does the same by hand. Each write is answered 429, then 503, both with `Retry-After`, then takes effect while its answer is lost, and then is repeated. Nothing may be there twice.",
  },
  feeds: {
    title: "Feed readers",
    about: "Each reads a post with signs, tags and a cover in all formats that it knows.",
  },
  microformats: { title: "Microformats", about: "Each reads the page of that post." },
  webhooks: { title: "Webhooks", about: "Each verifies a delivery, and refuses a changed and an old one." },
  mcp: { title: "Assistants", about: "Each writes a draft by `edgepost mcp`, lists it, and gets an error as a text." },
  micropub: {
    title: "Micropub",
    about: "It asks for the configuration, uploads an image, creates, changes, lists, deletes and brings back posts.",
  },
} satisfies Record<string, { title: string; about: string }>
export type Kind = keyof typeof KINDS

const TYPESCRIPT = { typescript: "5.9.3" }

const IDEMPOTENT = "Give each POST and PATCH an `Idempotency-Key`"

export const CLIENTS: Record<Kind, Row[]> = {
  generated: [
    {
      name: "openapi-typescript with openapi-fetch",
      npm: { "openapi-typescript": "7.13.0", "openapi-fetch": "0.17.0", ...TYPESCRIPT },
      generate: "openapi-typescript openapi.json -o api.ts",
      program: "openapi-fetch.ts",
      needs: "A `bodySerializer` that makes a FormData of an upload; its types have a file as a text",
    },
    {
      name: "oazapfts",
      npm: { oazapfts: "7.5.0", "@oazapfts/runtime": "1.2.0", ...TYPESCRIPT },
      generate: "oazapfts openapi.json api.ts",
      program: "oazapfts.ts",
      needs: "`defaults.baseUrl` without a slash at its end; look at `status` of each answer",
    },
    {
      name: "swagger-typescript-api",
      npm: { "swagger-typescript-api": "13.13.0", ...TYPESCRIPT },
      generate: "swagger-typescript-api generate --path openapi.json --output . --name api.ts --silent",
      program: "swagger-typescript-api.ts",
      needs: "`baseUrl` without a slash at its end",
    },
    {
      name: "@hey-api/openapi-ts",
      npm: { "@hey-api/openapi-ts": "0.99.0", ...TYPESCRIPT },
      generate: "openapi-ts -i openapi.json -o api",
      program: "hey-api.ts",
      needs: '`auth: "Api-Key <key>"`, or the bare key',
    },
    {
      name: "orval, with zod",
      npm: { orval: "8.38.0", zod: "4.6.7", ...TYPESCRIPT },
      generate:
        "orval --input openapi.json --output api.ts --client fetch && orval --input openapi.json --output zod.ts --client zod",
      program: "orval.ts",
      needs: "A `fetch` that puts the address before its paths",
    },
    {
      name: "openapi-typescript-codegen",
      npm: { "openapi-typescript-codegen": "0.31.0" },
      generate: "openapi --input openapi.json --output api --useOptions --useUnionTypes",
      program: "openapi-typescript-codegen.ts",
      needs: "`OpenAPI.BASE` without a slash at its end; the key in `OpenAPI.HEADERS`",
    },
    {
      name: "openapi-zod-client with Zodios",
      npm: { "openapi-zod-client": "1.18.3", "@zodios/core": "10.9.6", axios: "1.21.1", zod: "3.25.76" },
      generate: "openapi-zod-client openapi.json -o api.ts",
      program: "zodios.ts",
      needs: "zod 3",
    },
  ],
  http: [
    { name: "curl", debian: "curl", program: "http.sh", needs: `${IDEMPOTENT}, and \`--retry 8 --retry-all-errors\`` },
    {
      name: "Python: requests",
      debian: "python3-requests",
      program: "http.py",
      needs: `${IDEMPOTENT}, and urllib3's \`Retry(status_forcelist=[429, 503], allowed_methods=None)\``,
    },
    {
      name: "PHP: curl",
      debian: "php8.2-cli php8.2-curl",
      program: "http.php",
      needs: `${IDEMPOTENT}, and a loop: it repeats nothing by itself`,
    },
    {
      name: "Ruby: Net::HTTP",
      debian: "ruby3.1 ruby",
      program: "http.rb",
      needs: `${IDEMPOTENT}, and a loop: it repeats no POST and PATCH`,
    },
    {
      name: "Go: net/http",
      debian: "golang-1.19-go golang-go",
      program: "http.go",
      needs: `${IDEMPOTENT}, and a loop for 429, 503 and lost answers`,
    },
    {
      name: "Perl: LWP",
      debian: "libwww-perl",
      program: "http.pl",
      needs: `${IDEMPOTENT}, and a loop: a lost answer is a 500 with \`Client-Warning\``,
    },
  ],
  feeds: [
    { name: "feedparser", debian: "python3-feedparser", program: "feedparser.py", needs: "" },
    {
      name: "rss-parser",
      npm: { "rss-parser": "3.13.0" },
      program: "rss-parser.mjs",
      needs: "RSS for tags: it reads none of Atom",
    },
    { name: "feedsmith", npm: { feedsmith: "3.0.1" }, program: "feedsmith.mjs", needs: "" },
    {
      name: "newsboat",
      debian: "newsboat",
      program: "newsboat.py",
      needs: "",
      gaps: [
        {
          seen: /^(?:atom|rss): cover/,
          says: "a cover that the text does not show is not seen, since it stores no `media:content`: show it in the text as well",
        },
      ],
    },
  ],
  microformats: [
    {
      name: "microformats-parser",
      npm: { "microformats-parser": "2.0.6" },
      program: "microformats-parser.mjs",
      needs: "",
    },
    {
      name: "mf2py",
      debian: "python3-mf2py",
      program: "mf2py.py",
      needs: "",
    },
  ],
  webhooks: [
    {
      name: "standardwebhooks",
      npm: { standardwebhooks: "1.1.1" },
      program: "webhook.mjs",
      needs: "The body as it came",
    },
    {
      name: "svix",
      npm: { svix: "2.5.0" },
      program: "webhook.mjs",
      needs: "The body as it came; parse it yourself, since `verify` returns nothing",
    },
  ],
  mcp: [
    {
      name: "@modelcontextprotocol/sdk",
      npm: { "@modelcontextprotocol/sdk": "1.32.2" },
      program: "mcp.mjs",
      needs: "",
    },
    {
      name: "@modelcontextprotocol/client",
      npm: { "@modelcontextprotocol/client": "2.4.0" },
      program: "mcp.mjs",
      needs: "",
    },
    { name: "@ai-sdk/mcp", npm: { "@ai-sdk/mcp": "2.0.99" }, program: "mcp.mjs", needs: "" },
  ],
  micropub: [
    {
      name: "micropub-helper",
      npm: { "micropub-helper": "1.6.2" },
      program: "micropub-helper.mjs",
      needs: "An API key as `token`; in Node, `delete globalThis.FormData` before it is loaded, and a file as a stream",
    },
  ],
}
