import { fr } from "./fr.js"

export default {
  title: "Plain log",
  locales: { root: { label: "English" }, fr: { label: "Français", ...fr } },
}
