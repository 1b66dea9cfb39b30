import naughty from "big-list-of-naughty-strings" with { type: "json" }

import { MUTATIONS } from "../markdown/mutations.ts"
import { ADDRESS_CARRIERS, ADDRESSES, ELEMENTS, EVENTS } from "../markdown/payloads.ts"

/** Elements on which events come by themselves or at the first touch. */
const EVENT_CARRIERS = [
  (event: string) => `<img src=x ${event}=__xss()>`,
  (event: string) => `<svg ${event}="__xss()"><animate ${event}=__xss() attributeName=x dur=1s></svg>`,
  (event: string) => `<body ${event}=__xss()>`,
  (event: string) => `<input autofocus ${event}='__xss()'>`,
  (event: string) => `<details open ${event}=__xss()>a</details>`,
  (event: string) => `<a href="#x" ${event}=__xss()>a</a>`,
  (event: string) => `<p tabindex=0 style="animation:x 1s" ${event.toUpperCase()}=__xss()>a</p>`,
  (event: string) => `<video src=x autoplay ${event}=__xss()><source src=x ${event}=__xss()></video>`,
]
const ELEMENT_CARRIERS = [
  (tag: string) => `<${tag} src=x href="javascript:__xss()" onerror=__xss() onload=__xss() onclick=__xss()>a</${tag}>`,
  (tag: string) => `<${tag}><img src=x onerror=__xss()></${tag}>`,
  (tag: string) => `<${tag} tabindex=0 onfocus=__xss() onmouseover=__xss()><script>__xss()</script>`,
]

/** The list writes some bytes as \xNN. */
const withBytes = (text: string) =>
  text.replaceAll(/\\x([0-9A-F]{2})/gi, (_, hex) => String.fromCodePoint(Number(`0x${hex}`)))
const ofTheList = naughty.filter((text) => /[<:]/.test(text)).flatMap((text) => [...new Set([text, withBytes(text)])])

const cross = (values: string[], carriers: ((value: string) => string)[]) =>
  values.flatMap((value) => carriers.map((carry) => carry(value)))

/** Gives each call the number of its attack. */
const number = (payloads: string[]) => payloads.map((payload, n) => payload.replaceAll("__xss()", `__xss(${n})`))

/** Returns attacks as raw HTML. @param events event attributes that the browser supports */
export const makeAttacks = (events: string[]): string[] =>
  number([
    ...MUTATIONS,
    ...ofTheList,
    ...cross([...new Set([...EVENTS, ...events])], EVENT_CARRIERS),
    ...cross(ELEMENTS, ELEMENT_CARRIERS),
    ...cross(ADDRESSES, ADDRESS_CARRIERS),
  ])

/** Places in Markdown for an author's HTML and text. */
const CARRIERS: ((text: string, n: number) => string)[] = [
  (text) => `> ${text}`,
  (text) => `x ${text}`,
  (text) => `- ${text}\n\nx`,
  (text) => `| a |\n|---|\n| ${text.replaceAll("|", "\\|")} |`,
  (text) => `# ${text}`,
  (text) => `[${text}](/u)`,
  (text) => `![${text}](/image.webp)`,
  (text) => `[a](/u "${text.replaceAll('"', '\\"')}") ![b](/u '${text}')`,
  (text) => `\`${text}\``,
  (text) => `\`\`\`${text}\n${text}\n\`\`\``,
  (text) => `[a](<${text}>) [b](${text})`,
  (text) => `<${text}> <https://e.x/${text}>`,
  (text, n) => `x[^n${n}]\n\n[^n${n}]: ${text}`,
  (text) => `**${text}** ~~${text}~~`,
  (text) => `https://e.x/${text} www.e.x/?${text} a@e.x${text}`,
  (text, n) => `[${text}][r${n}]\n\n[r${n}]: <${text}> (${text})`,
  (text) => `1) - [x] ${text}\n\nx`,
  (text) => `<div>\n${text}\n</div>\n\nx`,
  (text) => `<details><summary>${text}</summary>\n\n${text}\n\n</details>`,
  (text) => `> [!NOTE]\n> ${text}`,
  (text) => `## a {#${text.replaceAll(/\s/g, "")}}`,
  (text) => `a $${text}$ b\n\n$$\n${text}\n$$`,
  (text) => `<b title="${text.replaceAll('"', "'")}">a</b> <!-- ${text} -->`,
  // A block that no blank line ends would hide the following blocks.
  (text) => (/^\s*<(script|pre|style|textarea|!|\?)/i.test(text) ? `x\n${text}` : text),
]
const LINKS: ((address: string, n: number) => string)[] = [
  (address) => `[a](${address})`,
  (address) => `[a](<${address}> "b")`,
  (address) => `<${address}>`,
  (address) => `![a](${address})`,
  (address) => `[![a](${address})](${address})`,
  (address, n) => `[a${n}]\n\n[a${n}]: ${address}`,
  (address, n) => `![a${n}]\n\n[a${n}]: <${address}>`,
  (address) => `| [a](${address}) |\n|---|`,
  (address, n) => `x[^a${n}]\n\n[^a${n}]: [a](${address})`,
  (address) => `## [a](${address}) ${address}`,
]

const oneLine = (text: string) => text.replaceAll(/[\0\r\n]+/g, " ")

/** Returns blocks of Markdown: every attack in two places, every address in each place. */
export const makeBlocks = (attacks: string[]): string[] => [
  ...attacks.flatMap((attack, n) =>
    [0, 7].flatMap((step) => CARRIERS[(n + step) % CARRIERS.length]?.(oneLine(attack), n) ?? []),
  ),
  ...number(ADDRESSES).flatMap((address, n) => LINKS.map((link) => link(oneLine(address), n))),
]
