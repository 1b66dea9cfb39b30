import { describe, expect, it } from "vitest"

import { converted } from "./texts.ts"

/** Returns a figure as the conversion writes it. */
const figure = (attributes: string, caption: string) =>
  `<figure><img ${attributes}><figcaption>${caption}</figcaption></figure>`

describe("shortcodes of Hugo", () => {
  it.each([
    ["a positional id", "{{< youtube dQw4-9_W >}}", "<https://www.youtube.com/watch?v=dQw4-9_W>"],
    [
      "a named id and a title",
      '{{< youtube id="a1" title="A [b]" >}}',
      "[A \\[b\\]](https://www.youtube.com/watch?v=a1)",
    ],
    ["percent delimiters", "{{% vimeo 55073825 %}}", "<https://vimeo.com/55073825>"],
    ["no blanks", "{{<vimeo 1>}}", "<https://vimeo.com/1>"],
    ["a self-closing tag", "{{< vimeo 1 />}}", "<https://vimeo.com/1>"],
    ["backquotes", "{{< youtube `a1` >}}", "<https://www.youtube.com/watch?v=a1>"],
    ["several lines", '{{< youtube\n  id="a1"\n>}}', "<https://www.youtube.com/watch?v=a1>"],
    ["a gist of a user", "{{< gist ann 7a1 >}}", "<https://gist.github.com/ann/7a1>"],
    ["a gist with a file", '{{< gist ann 7a1 "a.go" >}}', "<https://gist.github.com/ann/7a1>"],
    ["a tweet", '{{< tweet user="ann" id="12" >}}', "<https://x.com/ann/status/12>"],
    ["a tweet without user", "{{< x 12 >}}", "<https://x.com/i/status/12>"],
    ["instagram", "{{< instagram CxOWiQNP2MO >}}", "<https://www.instagram.com/p/CxOWiQNP2MO/>"],
    ["codepen", '{{< codepen id="b" user="ann" >}}', "<https://codepen.io/ann/pen/b>"],
    ["an address", "{{< embed https://e.x/a?b=1&c >}}", "<https://e.x/a?b=1&c>"],
    ["text around it", "a {{< vimeo 1 >}} b", "a <https://vimeo.com/1> b"],
    ["in a list", "- {{< vimeo 1 >}}\n- b", "- <https://vimeo.com/1>\n- b"],
    ["a folder of a theme", "{{< embeds/vimeo.html 1 >}}", "<https://vimeo.com/1>"],
  ])("a video or post with %s becomes a link", (_, text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ['{{< figure src="a.png" alt="A" >}}', "![A](a.png)"],
    ['{{< figure src="a b.png" alt="A [b]" >}}', "![A \\[b\\]](<a b.png>)"],
    ['{{< img src="a.png" title="Two \\"boats\\"" >}}', '![Two "boats"](a.png "Two \\"boats\\"")'],
    ["{{< image a.png 300x200 `A boat` >}}", "![300x200](a.png)"],
    ['{{< figure src="a.png" caption="A b, c" >}}', figure('src="a.png" alt="A b, c"', "A b, c")],
    ['{{< figure src="a.png" title="Sea" alt="x" >}}', figure('src="a.png" alt="x"', "Sea")],
    [
      '{{< figure src="a.png" caption="By" attr="Ann" attrlink="https://e.x" >}}\nnext',
      `${figure('src="a.png" alt="By Ann"', "\n\nBy [Ann](https://e.x)\n\n")}\n\nnext`,
    ],
    ["{{< figure src=a.png caption='A *b*' >}}", figure('src="a.png" alt="A b"', "\n\nA *b*\n\n")],
    ['{{< figure src="a.png" alt="A" link="/b/" >}}', "[![A](a.png)](/b/)"],
    ['- {{< figure src=a caption="*A*" alt="" >}}', `- ${figure('src="a" alt=""', "\n  \n  *A*\n  \n  ")}`],
  ])("the image %s is %s", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["{{< highlight go >}}\na *b*\n{{< /highlight >}}", "```go\na *b*\n```"],
    ["{{< highlight go >}}\n{{</* a */>}} {{< b >}}\n{{< /highlight >}}", "```go\n{{< a >}} {{< b >}}\n```"],
    ['{{< highlight go "linenos=table" >}}\na\n{{< /highlight >}}', "```go\na\n```"],
    ['{{< code lang="c++" title="a.cc" >}}\na\n{{< /code >}}', "```c++\na\n```"],
    ["{{< code-block >}}\na\n{{< /code-block >}}", "```\na\n```"],
    ["{{< code >}}\n````\na\n{{< /code >}}", "`````\n````\na\n`````"],
    ["{{< code >}}\n```js\na\n```\n{{< /code >}}", "\n```js\na\n```\n"],
    ["{{< code >}}\n{{< tabs >}} {% x %} [[a]] :::b\n{{< /code >}}", "```\n{{< tabs >}} {% x %} [[a]] :::b\n```"],
    ["{{< highlight go >}}a{{< /highlight >}}", "```go\na\n```"],
    ["a {{< highlight go >}}b `c`{{< /highlight >}} d", "a `` b `c` `` d"],
    ["a {{< code >}}b`c{{< /code >}}", "a ``b`c``"],
    ["a {{< code >}}b\nc{{< /code >}} d", "a \n\n```\nb\nc\n```\n d"],
    ["- a\n\n  {{< code >}}\n  b\n  {{< /code >}}", "- a\n\n  ```\n  b\n  ```"],
    ["{{< mermaid >}}\na-->b\n{{< /mermaid >}}", "```mermaid\na-->b\n```"],
    [
      "{{< code >}}\n```\n{{< /code >}}\n\n{{< x 1 >}} `{{< a >}}`",
      "````\n```\n````\n\n<https://x.com/i/status/1> `{{< a >}}`",
    ],
  ])("the code %j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ['[a]({{< ref "other.md" >}})', "[a](other.md)"],
    ['[a]({{% relref "/posts/other#b c" %}})', "[a](/posts/other#b%20c)"],
    ['[a]({{< ref path="other" lang="fr" >}})', "[a](other)"],
    ['<a href="{{< relref "a b.md" >}}">', '<a href="a%20b.md">'],
    ['[a]\n\n[a]: {{< ref "b(1).md" >}}', "[a]\n\n[a]: b%281%29.md"],
  ])("the reference %s becomes a destination", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["{{% note %}}\na\n\nb\n{{% /note %}}", "> [!NOTE]\n> a\n>\n> b\n"],
    ["{{% note %}}\na\n{{% /note %}}\nb", "> [!NOTE]\n> a\n\nb"],
    ["{{< tip >}}a{{< /tip >}}\nb", "> [!TIP]\n> a\n\nb"],
    ["a {{< tip >}}b{{< /tip >}} c", "a \n\n> [!TIP]\n> b\n\n c"],
    ['{{% alert title="Look" color="danger" %}}\na\n{{% /alert %}}', "> [!CAUTION]\n> **Look**\n>\n> a\n"],
    ["{{< notice warning >}}\na\n{{< /notice >}}", "> [!WARNING]\n> a\n"],
    ['{{< admonition tip "Look" >}}\na\n{{< /admonition >}}', "> [!TIP]\n> **Look**\n>\n> a\n"],
    ['{{< admonition type=info title="Note" >}}\na\n{{< /admonition >}}', "> [!NOTE]\n> a\n"],
    ['{{< alert "fire" >}}\na\n{{< /alert >}}', "> [!NOTE]\n> a\n"],
    ['{{< note "Remember *this*" >}}\n\na', "> [!NOTE]\n> Remember *this*\n\na"],
    ["> {{% note %}}\n> a\n> {{% /note %}}", "> > [!NOTE]\n> > a\n> > "],
    ["- a\n\n  {{% note %}}\n  b\n  {{% /note %}}", "- a\n\n  > [!NOTE]\n  > b\n  "],
    ["{{% note %}}\n{{< code >}}\n*a\n{{< /code >}}\n{{% /note %}}", "> [!NOTE]\n> ```\n> *a\n> ```\n"],
    ["{{% note %}}\n{{< vimeo 1 >}}\n{{% /note %}}", "> [!NOTE]\n> <https://vimeo.com/1>\n"],
    [
      '{{% note %}}\n{{< figure src="a" caption="*a*" alt="" >}}\n{{% /note %}}',
      '> [!NOTE]\n> <figure><img src="a" alt=""><figcaption>\n> \n> *a*\n> \n> </figcaption></figure>\n> \n',
    ],
    ["{{% note %}}\na\n{{% tip %}}\nb\n{{% /tip %}}\nc\n{{% /note %}}", "> [!NOTE]\n> a\n> > [!TIP]\n> > b\n> \n> c\n"],
    ["{{% note %}}\r\na\r\n{{% /note %}}\r\nb", "> [!NOTE]\r\n> a\r\n\r\nb"],
  ])("the alert %j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["{{</* youtube a */>}}", "{{< youtube a >}}"],
    ["{{%/* note */%}}", "{{% note %}}"],
    ["{{< toc >}}\n", "\n"],
    ["{{< rawhtml >}}<b>a</b>{{< /rawhtml >}}", "<b>a</b>"],
    ['{{< details "A *b*" >}}\nc\n{{< /details >}}\nd', "<details><summary>A *b*</summary>\n\nc\n\n</details>\n\nd"],
    ["<!-- {{< tabs >}} -->", ""],
  ])("%j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it("shortcodes in code stay", () => {
    const texts = ["`{{< x 1 >}}`", "    {{< x 1 >}}", "```\n{{< x 1 >}}\n```", "<pre>{{< tabs >}}</pre>"]
    expect(texts.map((text) => converted(text))).toEqual(texts)
  })

  it.each([
    ["{{< tabs >}}\n{{% tab a %}}\nb\n{{% /tab %}}\n{{< /tabs >}}", ["1 {{< tabs >}}", "2 {{% tab %}}"]],
    ["a\n\n{{< youtube >}}", ["3 {{< youtube >}}"]],
    ['{{< youtube "a b" >}}', ["1 {{< youtube >}}"]],
    ["{{< note >}}\na", ["1 {{< note >}}"]],
    ["a {{< /note >}}", ["1 {{< note >}}"]],
    ["{{< highlight go >}}\na", ["1 {{< highlight >}}"]],
    ["{{< embed a >}}", ["1 {{< embed >}}"]],
    ["{{< param a >}}\n{{< param b >}}", ["1 {{< param >}}"]],
  ])("%j is reported and stays", (text, expected) =>
    expect(converted(text)).toBe([text, ...expected.map((line) => `! ${line}`)].join("\n")),
  )
})
