/** Paths of files with a hash of their content. `scripts/assets.ts` writes them when the Worker is built. */
export const ASSETS = {
  "docs.css": "/assets/hashed/docs-2c550bea4f.css",
  "icon.svg": "/assets/hashed/icon-d651dde386.svg",
  "settings.css": "/assets/hashed/settings-8a3a4fd18e.css",
  "site.css": "/assets/hashed/site-f344024a7b.css",
} as const
