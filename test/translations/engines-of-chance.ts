import type { Answer } from "../../src/translations/engines/engine.ts"
import { shuffle } from "../markdown/generate.ts"

/** Wrong answers that an engine may give to a text. */
const SPOILERS: ((text: string, random: () => number) => string | null)[] = [
  () => null,
  () => "",
  () => " \n\t ",
  (text) => text,
  (text) => text.replaceAll(/<[^>]*>/g, ""),
  (text) => text + text,
  (text) => text.replace(/<x id="(\d+)"\/>/, '<x id="$1"/><x id="$1"/>'),
  (text) => `${text}<x id="99"/>`,
  (text) => `<g id="98">${text}</g>`,
  (text) => text.replaceAll("</g>", "").replaceAll("<g", "</g><g"),
  (text) => text.replace(/<\/g>/, "").concat("</g>"),
  (text, random) => shuffle(text.split(/(<[^>]*>)/), random).join(""),
  (text, random) => shuffle([...text], random).join(""),
  (text, random) => text.slice(0, Math.floor(random() * text.length)),
  (text, random) => text.slice(Math.floor(random() * text.length)),
  (text) => text.repeat(10),
  (text) => `# ${text}`,
  (text) => `- ${text}\n- ${text}`,
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `> ${text}\n\n***\n\n    ${text}`,
  (text) => `**${text}** [${text}](javascript:alert(1)) ![${text}](http://evil.example/x.png)`,
  (text) => `*${text}_ ~~${text}* \`${text}\`\``,
  (text) => `<script>${text}</script><img src=x onerror=alert(1)>`,
  (text) => `| ${text} |\n|---|\n| ${text} |`,
  (text) => `[^1]: ${text}\n[a]: /evil`,
  (text) => `${text}\n===`,
  (text) => `1) ${text}`,
  (text) => `+ [ ] ${text}`,
  (text) => `www.evil.example ${text} https://evil.example/${text} a@evil.example`,
  (text) => `&#42;${text}&#42; &lt;b&gt; &amp;amp; &#0; &#x110000;`,
  (text) => `\\${text}\\`,
  (text) => `\uD800${text}\u202E\u0000\u2028`,
  (text) => text.replaceAll(" ", ""),
  (text) => text.replaceAll(/<[^>]*>/g, " $& "),
  (text) => text.replaceAll(/[^<>]+(?![^<]*>)/g, "*"),
  (text) => text.replaceAll(/[^<>]+(?![^<]*>)/g, "_a_"),
  (text) => text.replaceAll(/[^<>]+(?![^<]*>)/g, "."),
  () => "家は赤い。**毎日**ブログを書く。",
]

/** Creates an engine that answers each text wrongly, and sometimes in the wrong order. */
export const spoil =
  (random: () => number) =>
  async (texts: string[]): Promise<Answer> => {
    const spoiled = texts.map((text) => SPOILERS[Math.floor(random() * SPOILERS.length)]?.(text, random) ?? null)
    return { texts: random() < 0.1 ? shuffle(spoiled, random) : spoiled }
  }
