import { describe, expect, it } from "vitest"

import { converted } from "./texts.ts"

/** Returns a figure as the conversion writes it. */
const figure = (attributes: string, caption: string) =>
  `<figure><img ${attributes}><figcaption>${caption}</figcaption></figure>`

describe("shortcodes of Hugo", () => {
  it.each([
    ["<https://www.youtube.com/watch?v=a-1_B>", ["{{< youtube a-1_B >}}", "{{< youtube `a-1_B` >}}"]],
    ["<https://www.youtube.com/watch?v=a1>", ['{{< youtube\n  id="a1"\n>}}']],
    ["[A \\[b\\]](https://www.youtube.com/watch?v=a1)", ['{{< youtube id="a1" title="A [b]" >}}']],
    ["<https://vimeo.com/1>", ["{{% vimeo 1 %}}", "{{<vimeo 1>}}", "{{< vimeo 1 />}}", "{{< embeds/vimeo.html 1 >}}"]],
    ["<https://gist.github.com/ann/7a1>", ["{{< gist ann 7a1 >}}", '{{< gist ann 7a1 "a.go" >}}']],
    ["<https://x.com/ann/status/12>", ['{{< tweet user="ann" id="12" >}}']],
    ["<https://x.com/i/status/12>", ["{{< x 12 >}}"]],
    ["<https://www.instagram.com/p/CxOWiQNP2MO/>", ["{{< instagram CxOWiQNP2MO >}}"]],
    ["<https://codepen.io/ann/pen/b>", ['{{< codepen id="b" user="ann" >}}']],
    ["<https://e.x/a?b=1&c>", ["{{< embed https://e.x/a?b=1&c >}}"]],
    ["- a <https://vimeo.com/1> b\n- c", ["- a {{< vimeo 1 >}} b\n- c"]],
  ])("the link %s comes from the embeds %j", (expected, texts) =>
    expect(texts.map((text) => converted(text))).toEqual(texts.map(() => expected)),
  )

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
    ['[a]({{< ref "b.md" >}}) [a]({{% relref "/b/c#d e" %}})', "[a](b.md) [a](/b/c#d%20e)"],
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
    [
      '{{< details "A *b*" >}}\nc\n{{< /details >}}\nd',
      "<details><summary>\n\nA *b*\n\n</summary>\n\nc\n\n</details>\n\nd",
    ],
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
