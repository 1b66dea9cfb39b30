export const SITE_TITLE = "Orchard"
