import { renderDocs } from "./layout.tsx"

/** Pairs of what is typed and what readers see. */
const EXAMPLES: [typed: string, seen: string][] = [
  ["A paragraph.\n\nAfter an empty line another one.", "Two paragraphs"],
  ["## A heading", "A heading; ### one below it"],
  ["*slanted*, **bold**, ~~struck~~", "Emphasis"],
  ["[the name](https://example.org/)", "A link"],
  ["![what it shows](/media/…)", "An image that you have added"],
  ["- one\n- two\n  - below two", "A list; 1. and 2. count"],
  ["- [x] done\n- [ ] open", "A list of tasks"],
  ["> a quote", "A quote"],
  ["`code`", "Code in a line"],
  ["```js\nlet a = 1\n```", "A block of code, in colours"],
  ["| a | b |\n| - | - |\n| 1 | 2 |", "A table"],
  ["Some text.[^1]\n\n[^1]: The note.", "A footnote"],
  ["$x^2$", "A formula in TeX"],
  ["> [!NOTE]\n> Mind this.", "A note in a box; also TIP, IMPORTANT, WARNING, CAUTION"],
  ["***", "A line across"],
  ["\\*", "A sign as it is: *"],
]

/** Renders the page that shows how to write Markdown. */
export const renderMarkdownHelp = () =>
  renderDocs({
    title: "How to write Markdown",
    path: "/docs/markdown/",
    children: (
      <>
        <h1>How to write Markdown</h1>
        <p>
          A post is written in Markdown: plain text with a few signs. Type a text in{" "}
          <a href="/settings/posts/new/">a new post</a>, and press <em>Preview</em> to see it as readers do.
        </p>
        <table>
          <thead>
            <tr>
              <th>You type</th>
              <th>Readers see</th>
            </tr>
          </thead>
          <tbody>
            {EXAMPLES.map(([typed, seen]) => (
              <tr>
                <td>
                  <code class="lines">{typed}</code>
                </td>
                <td>{seen}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          Safe HTML works too. A text with mistakes is never refused for its Markdown: what readers do not get as you
          wrote it is listed after you save.
        </p>
      </>
    ),
  })
