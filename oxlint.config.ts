import { defineConfig, type OxlintOverride } from "oxlint"

// Imports go one way: index → edge/reader → app, cron → slices → http, ui → db, config, limits. See docs/architecture.md.

/** What each slice may import of other slices. docs/architecture.md has the same list. */
export const SLICES: Record<string, string[]> = {
  accounts: [],
  "api-docs": [],
  "author-pages": [
    "accounts",
    "billing",
    "export",
    "images",
    "posts",
    "reader",
    "sessions",
    "translations",
    "webhooks",
  ],
  billing: ["accounts"],
  edge: [],
  export: ["accounts", "images", "posts", "redirects", "translations", "webhooks"],
  idempotency: [],
  images: ["accounts", "edge", "idempotency"],
  markdown: [],
  micropub: ["accounts", "idempotency", "images", "posts", "reader"],
  operator: ["accounts", "author-pages", "billing", "edge", "posts", "sessions", "translations"],
  posts: ["accounts", "idempotency", "images", "markdown", "webhooks"],
  reader: ["edge", "images", "posts", "redirects"],
  redirects: ["accounts"],
  sessions: ["accounts"],
  translations: ["accounts", "idempotency", "images", "markdown", "posts", "webhooks"],
  webhooks: ["accounts"],
}

/** Libraries that few folders may import; each pattern matches the package and its subpaths. */
const LIBRARIES = {
  hono: "^hono($|/)",
  drizzle: "^drizzle-orm($|/)",
  codecs: "^(@cf-wasm|@jsquash)/",
  markdown: "^(micromark|mdast|hast|unist|parse5|github-slugger|lowlight|highlight\\.js|temml)",
  webauthn: "^@simplewebauthn/",
}
type Library = keyof typeof LIBRARIES

/** A rule for files under src: the libraries and the slices that they may import. A later rule replaces an earlier one. */
const rule = (files: string[], libraries: Library[], slices: string[]): OxlintOverride => {
  const others = Object.keys(SLICES).filter((slice) => !slices.includes(slice))
  const patterns = Object.entries(LIBRARIES).flatMap(([library, regex]) =>
    libraries.includes(library as Library) ? [] : [{ regex, message: "This folder must not import that library." }],
  )
  if (others.length > 0)
    patterns.push({ regex: `^(\\.\\.?/)+(${others.join("|")})/`, message: "This folder must not import that slice." })
  return {
    files: files.map((file) => `src/${file}`),
    rules: { "no-restricted-imports": ["error", { patterns }] },
  }
}

/** The slices that the files of a slice may import. */
const within = (slice: string): string[] => [slice, ...(SLICES[slice] ?? [])]

const slices = Object.keys(SLICES).flatMap((slice) => [
  rule([`${slice}/**/*.{ts,tsx}`], [], within(slice)),
  rule(
    [`${slice}/**/*.tsx`, `${slice}/{routes,media,authenticate,page,list-page,topics-page,layout,feed}.ts`],
    ["hono"],
    within(slice),
  ),
  rule([`${slice}/**/*store.ts`], ["drizzle"], within(slice)),
])

const imports = [
  rule(["*.ts"], [], []),
  rule(["{app,cron,erase-account,health,index,routes}.ts"], ["hono"], Object.keys(SLICES)),
  rule(["db/**/*.ts"], ["drizzle"], []),
  rule(["{http,ui}/**/*.{ts,tsx}"], ["hono"], []),
  ...slices,
  // The Worker's entrypoints.
  rule(["edge/{front,reader}.ts"], [], [...within("edge"), "images"]),
  rule(["images/codec/**/*.ts"], ["codecs"], ["images"]),
  rule(["images/lifetime.ts"], ["drizzle"], ["images"]),
  rule(["markdown/**/*.{js,ts}"], ["markdown"], within("markdown")),
  rule(["micropub/content.ts"], ["markdown"], within("micropub")),
  rule(["sessions/passkeys.ts"], ["webauthn"], ["sessions"]),
  rule(["translations/document/**/*.ts"], ["markdown"], ["translations", "markdown"]),
  rule(["webhooks/outbox.ts"], ["drizzle"], ["webhooks"]),
]

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "promise", "vitest", "jsx-a11y"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  rules: {
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/no-explicit-any": "error",
    // Loops that await do so in order on purpose; a race is written as Promise.all.
    "eslint/no-await-in-loop": "off",
    // Object.keys and bindings need an assertion where the compiler cannot know.
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/no-misused-spread": "off",
    "oxc/no-map-spread": "off",
    "eslint/no-underscore-dangle": ["error", { allow: ["_align"] }],
    // Knows no body that is undefined.
    "unicorn/no-invalid-fetch-options": "off",
    "vitest/no-standalone-expect": "off",
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
    "vitest/require-mock-type-parameters": "off",
  },
  ignorePatterns: ["worker-configuration.d.ts", "public/assets/vendor"],
  overrides: [
    ...imports,
    {
      files: ["src/**", "packages/*/src/**"],
      rules: { "import/no-cycle": ["error", { ignoreTypes: false }], "eslint/max-lines": ["error", { max: 300 }] },
    },
    // Tests call the command line in their process: only what starts it knows the process.
    {
      files: ["packages/edgepost/src/**"],
      rules: { "eslint/no-restricted-globals": ["error", "process", "console"] },
    },
    {
      files: ["packages/edgepost/src/{bin.ts,action/**}"],
      rules: { "eslint/no-restricted-globals": "off" },
    },
    // One list each: the tables, the numbers, the names of HTML, the client's generated types.
    {
      files: ["src/db/schema.ts", "src/limits.ts", "packages/*/src/client/openapi.ts"],
      rules: { "eslint/max-lines": "off" },
    },
    // wasm-bindgen names its exports so, and micromark what its tokens carry.
    {
      files: ["src/images/codec/**/*.ts", "packages/edgepost/src/parser/**/*.ts"],
      rules: { "eslint/no-underscore-dangle": "off" },
    },
  ],
})
