import { wordsFor } from "./words.ts"

/**
 * Returns the HTML of a text for its page: keyboards reach what may scroll sideways, and checkboxes of tasks have a name.
 * @param lang BCP 47 code of the text
 */
export const renderBody = (content: string, lang: string): string =>
  content
    // An attribute of the author may contain `<pre`: a value without quotes cannot end that attribute.
    .replaceAll("<pre", "<pre tabindex=0")
    .replaceAll("<table", "<div class=wide tabindex=0><table")
    .replaceAll("</table>", "</table></div>")
    // No attribute contains these, because its quotes are escaped.
    .replaceAll('<math display="block"', '<math display="block" tabindex="0"')
    .replaceAll('<input type="checkbox"', `<input type="checkbox" aria-label="${wordsFor(lang).task}"`)
