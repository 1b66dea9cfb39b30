import { globSync } from "node:fs"

import { defineConfig } from "oxlint"

// The import rules of docs/architecture.md. Each file gets what it must not import as a rule of its own.

interface Rule {
  /** Files under src that the rule is for. */
  files: RegExp
  /** Import specifiers that they must not have. */
  imports: string
  message: string
}

const LIBRARIES: Rule[] = [
  {
    files: /^(?!app\.ts|http\/|.*(routes|media|authenticate|page)\.ts$|.*\.tsx$)/,
    imports: "^hono($|/)",
    message: "hono stays in app, http, routes, media, authenticate and pages.",
  },
  {
    files: /^(?!tables\.ts|db\.ts|.*store\.ts$)/,
    imports: "^drizzle-orm($|/)",
    message: "drizzle-orm stays in tables, db and stores.",
  },
  {
    files: /^(?!images\/(codec|photon)\.ts)/,
    imports: "^(@cf-wasm|@jsquash)/",
    message: "Codecs stay in images/codec.ts and images/photon.ts.",
  },
  {
    files: /^(?!markdown\/|translations\/document\/)/,
    imports: "^(micromark|mdast|hast|unist|parse5|github-slugger|lowlight|highlight\\.js|temml)",
    message: "Markdown and HTML are read and written in markdown/ and translations/document/.",
  },
  {
    files: /^(?!sessions\/webauthn\.ts)/,
    imports: "^@simplewebauthn/",
    message: "WebAuthn stays in sessions/webauthn.ts.",
  },
  {
    files: /^(?!export\/routes\.ts)/,
    imports: "^client-zip$",
    message: "Archives are written in export/routes.ts.",
  },
]

const SLICES = [
  "idempotency",
  "accounts",
  "sessions",
  "billing",
  "images",
  "posts",
  "translations",
  "blog-settings",
  "export",
  "operator",
  "reader",
  "docs",
]

/** What each slice may take from others. */
const SLICE_IMPORTS: Record<string, string[]> = {
  accounts: [],
  billing: [],
  idempotency: [],
  images: ["idempotency"],
  posts: ["images", "idempotency"],
  translations: ["posts", "images", "idempotency"],
  reader: ["posts"],
  sessions: ["accounts"],
  "blog-settings": ["accounts", "billing", "sessions", "images", "posts", "translations", "export"],
  export: ["images", "posts"],
  operator: ["accounts", "billing", "sessions", "posts", "translations", "blog-settings"],
}

const between = Object.entries(SLICE_IMPORTS).map(([slice, allowed]): Rule => {
  const forbidden = SLICES.filter((other) => other !== slice && !allowed.includes(other))
  return {
    files: new RegExp(`^${slice}/`),
    imports: `^(\\.\\./)+(${forbidden.join("|")})/`,
    message: `${slice} imports of other slices ${allowed.join(" and ") || "nothing"}.`,
  }
})

/** Inside a slice, from the door inward: a file imports from its own layer and those behind it. */
const LAYERS = [
  [
    "routes",
    "media",
    "operator",
    "authenticate",
    "consumer",
    "sweep",
    "request",
    "page",
    "account-page",
    "account-forms",
    "parts",
    "board",
    "subscribed",
    "passkeys",
    "refusals",
    "data",
    "errors",
    "reference",
    "intro",
    "operation",
    "responses",
    "fields",
  ],
  [
    "upload",
    "multipart",
    "convert",
    "recode",
    "queue",
    "create",
    "rotate",
    "invite",
    "unpublish",
    "once",
    "patch",
    "remove",
    "save",
    "compose",
    "translate",
    "make",
    "run",
    "steps",
    "memory",
    "ask",
    "change",
    "apply",
    "register",
    "sign-in",
    "collect",
  ],
  [".*store", "ticket", "wake", "codec", "photon", "holder", "limiter", "webauthn"],
  [
    "account",
    "key",
    "subscription",
    "event",
    "signature",
    "link",
    "image",
    "header",
    "orientation",
    "profile",
    "webp",
    "png",
    "jpeg",
    "lossy",
    "alpha",
    "vp8l",
    "lz77",
    "prefix-code",
    "icc",
    "bytes",
    "content",
    "window",
    "session",
    "term",
    "post",
    "text",
    "edit",
    "view",
    "tags",
    "pieces",
    "front-matter",
    "answer",
    "part",
    "document",
    "openapi",
    "constraints",
    "curl",
  ],
  ["schema", "operations", "answers", "forms"],
]

const leaves: Rule[] = [
  {
    files:
      /^(http\/|markdown\/|tables\.ts|db\.ts|d1\.ts|bytes\.ts|tokens\.ts|days\.ts|rounds\.ts|log\.ts|limits\.ts|language\.ts|settings\.ts)/,
    imports: `^(?:\\.|(?:\\.\\./)*\\.\\.)/(${SLICES.join("|")})/`,
    message: "http, markdown, db, tables, limits, language and settings know no slice.",
  },
  {
    files: /^docs\//,
    imports: `^\\.\\./(${SLICES.join("|")})/(${LAYERS.slice(0, -1).flat().join("|")})\\.tsx?$`,
    message: "docs reads the slices' schemas and operations, nothing else.",
  },
]

const inside = LAYERS.slice(1).map((layer, i): Rule => {
  const before = LAYERS.slice(0, i + 1).flat()
  return {
    files: new RegExp(`^(${SLICES.join("|")})/(${layer.join("|")})\\.tsx?$`),
    imports: `^\\./(${before.join("|")})\\.tsx?$`,
    message: "Inside a slice imports go inward: door → verb → store, adapter → noun → schema.",
  }
})

const rules = [...LIBRARIES, ...between, ...leaves, ...inside]

const sources = globSync("src/**/*.{ts,tsx}")

const inSlice = new RegExp(`^src/(?:${SLICES.join("|")})/([^/]+)\\.tsx?$`)
const inLayer = new RegExp(`^(?:${LAYERS.flat().join("|")}|.*\\.d)$`)
const strays = sources.filter((file) => !inLayer.test(inSlice.exec(file)?.[1] ?? "schema"))
if (strays.length > 0) throw new Error(`In no layer of oxlint.config.ts: ${strays.join(", ")}`)

const overrides = sources.map((file) => ({
  files: [file],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: rules
          .filter(({ files }) => files.test(file.slice("src/".length)))
          .map(({ imports, message }) => ({ regex: imports, message })),
      },
    ] as const,
  },
}))

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
    ...overrides,
    // wasm-bindgen names its exports so, and micromark what its tokens carry.
    {
      files: ["src/images/{codec,photon}.ts", "src/markdown/**/*.ts"],
      rules: { "eslint/no-underscore-dangle": "off" },
    },
  ],
})
