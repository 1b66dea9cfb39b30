import { defineConfig } from "oxlint"

// Imports go one way: index → app, cron → slices → http, ui, markdown → db, config, limits. See docs/architecture.md.

/** What each slice may import of other slices. */
const SLICES: Record<string, string[]> = {
  accounts: [],
  billing: ["accounts"],
  idempotency: [],
  images: ["accounts", "idempotency"],
  posts: ["accounts", "images", "idempotency"],
  translations: ["accounts", "posts", "images", "idempotency"],
  export: ["images", "posts"],
  redirects: ["accounts"],
  reader: ["images", "posts", "redirects"],
  sessions: ["accounts"],
  "author-pages": ["accounts", "billing", "sessions", "images", "posts", "translations", "export", "reader"],
  operator: ["accounts", "billing", "sessions", "posts", "translations", "author-pages"],
  "api-docs": [
    "accounts",
    "billing",
    "images",
    "posts",
    "translations",
    "export",
    "redirects",
    "reader",
    "sessions",
    "operator",
  ],
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
const rule = (files: string[], libraries: Library[], slices: string[]) => {
  const others = Object.keys(SLICES).filter((slice) => !slices.includes(slice))
  const patterns = Object.entries(LIBRARIES).flatMap(([library, regex]) =>
    libraries.includes(library as Library) ? [] : [{ regex, message: "This folder must not import that library." }],
  )
  if (others.length > 0)
    patterns.push({ regex: `^(\\.\\.?/)+(${others.join("|")})/`, message: "This folder must not import that slice." })
  return {
    files: files.map((file) => `src/${file}`),
    rules: { "no-restricted-imports": ["error", { patterns }] as const },
  }
}

const slices = Object.entries(SLICES).flatMap(([slice, allowed]) => {
  const own = [slice, ...allowed]
  return [
    rule([`${slice}/**/*.{ts,tsx}`], [], own),
    rule(
      [`${slice}/**/*.tsx`, `${slice}/{routes,media,authenticate,page,list-page,topics-page,layout,feed}.ts`],
      ["hono"],
      own,
    ),
    rule([`${slice}/**/*store.ts`], ["drizzle"], own),
  ]
})

const imports = [
  rule(["*.{ts,tsx}"], ["hono", "drizzle"], Object.keys(SLICES)),
  rule(["{addresses,bytes,tokens,days,batches,log,limits,language,config}.ts"], [], []),
  rule(["{http,ui}/**/*.{ts,tsx}"], ["hono"], []),
  ...slices,
  rule(["markdown/**/*.ts"], ["markdown"], []),
  rule(["translations/document/**/*.ts"], ["markdown"], ["translations"]),
  rule(["images/codec/**/*.ts"], ["codecs"], ["images"]),
  rule(["images/lifetime.ts"], ["drizzle"], ["images"]),
  rule(["sessions/passkeys.ts"], ["webauthn"], ["sessions"]),
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
    // One list each: the tables, the numbers, the names of HTML, the client's generated types.
    {
      files: ["src/db/schema.ts", "src/limits.ts", "packages/*/src/client/openapi.ts"],
      rules: { "eslint/max-lines": "off" },
    },
    // wasm-bindgen names its exports so, and micromark what its tokens carry.
    {
      files: ["src/images/codec/**/*.ts", "src/markdown/**/*.ts"],
      rules: { "eslint/no-underscore-dangle": "off" },
    },
  ],
})
