/** Words between backticks as code. */
export const withCode = (text: string) => text.split("`").map((part, i) => (i % 2 ? <code>{part}</code> : part))

/** A path as code that may break after each slash. */
export const Path = ({ path }: { path: string }) => (
  <code>{path.split(/(?<=\/)(?=.)/).map((part, i) => (i === 0 ? part : [<wbr />, part]))}</code>
)

/** A method, by its word and its colour. */
export const Method = ({ method }: { method: string }) => <span class={`method ${method.toLowerCase()}`}>{method}</span>
