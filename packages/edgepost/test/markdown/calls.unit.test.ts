import { expect, test } from "vitest"

import { NO_THEME } from "../../src/markdown/theme.ts"
import { jekyll } from "../../src/tools/jekyll.ts"
import { zola } from "../../src/tools/zola.ts"
import { folderOf } from "../folder/folder.ts"
import { desiredOf, planOf } from "./plan.ts"
import { converted } from "./texts.ts"

const settings = { ...NO_THEME.settings, tool: zola }

test.each([
  ['{{ youtube(id="x1", class="w") }} {{vimeo(id=12)}}', "<https://www.youtube.com/watch?v=x1> <https://vimeo.com/12>"],
  ['{{ image(src="a.png", alt="A b") }}', "![A b](a.png)"],
  ['{{ resize_image(path="a.png", width=300, op="fit") }}', "![](a.png)"],
  [
    '{{ figure(src="a.png", alt="A", caption="B") }}',
    '<figure><img src="a.png" alt="A"><figcaption>B</figcaption></figure>',
  ],
  ['{% quote(author="Ann") %}\na **b**\n{% end %}', "> **Ann**\n>\n> a **b**\n"],
  ["{% quote() %}\na\n{%- end -%}", ">\n> a\n"],
  ['{% note(title="T") %}\n{% quote() %}\na\n{% end %}\n{% end %}', "> [!NOTE]\n> **T**\n>\n> >\n> > a\n> \n"],
  [
    '{% code(lang="js") %}\n{{ a(b=1) }}\n{% end %}\n\n{% tip() %}\nb\n{% end %}',
    "```js\n{{ a(b=1) }}\n```\n\n> [!TIP]\n> b\n",
  ],
  ['`{{ youtube(id="x") }}`', '`{{ youtube(id="x") }}`'],
  ["{{ tide(at=1) }}", "{{ tide(at=1) }}\n! 1 {{ tide() }}"],
  ["{% tide(at=1) %}\na\n{% end %}", "{% tide(at=1) %}\na\n{% end %}\n! 1 {% tide %}"],
  ["{% end %}", "{% end %}\n! 1 {% end %}"],
])("the call %j becomes %j", (text, expected) => {
  expect(converted(text, { theme: { settings } })).toBe(expected)
})

test("the author's templates give calls a meaning", () => {
  const shortcodes = { tide: "({{at}})", box: "[{{content}}]", gone: "" }
  const text = '{{ tide(at="six") }} {% box(a=1) %}b{% end %}{% gone() %}c{% end %}'
  expect(converted(text, { theme: { settings, shortcodes } })).toBe("(six) [b]")
})

test("calls of one tool are those of no other", () => {
  expect(converted('{{ youtube(id="x") }}', { theme: { settings: { ...settings, tool: jekyll } } })).toContain(
    "! 1 {{ youtube",
  )
})

test("a link by @ leads to the heading of the post", async () => {
  const folder = folderOf({
    "config.toml": 'base_url = "https://old.example"\n',
    "content/blog/p.md": '+++\ntitle = "P"\ndate = 2024-05-01\n+++\nSee [the bar](@/blog/bar.md#low-water).',
    "content/blog/bar.md": '+++\ntitle = "Bar"\ndate = 2024-05-02\n+++\n## Low water\n\nDry.',
  })
  const { source, findings } = desiredOf(await planOf(folder), "p")
  expect(source.body).toMatch(/\[the bar\]\(\/@[^/]*\/bar\/#low-water\)/)
  expect(findings).toEqual([])
})
