import { htmlFlow } from "micromark-core-commonmark"
import type { Construct, Extension } from "micromark-util-types"

import { restOfChunk } from "../../../packages/edgepost/src/parser/autolinks.ts"

/** Matches `<Script src="a" />`, a JSX component. Does not match `<script>`, whose block ends at its end tag. */
const JSX_COMPONENT = /^<(?:Script|Style|Textarea)[\s/>]/

/** Matches a text that may have such a component. Does not match `<script>`. */
export const JSX_SIGN = /<(?:Script|Style|Textarea)[\s/>]/

const htmlButJsx: Construct = {
  ...htmlFlow,
  name: "htmlButJsx",
  tokenize(effects, ok, nok) {
    return JSX_COMPONENT.test(restOfChunk(this)) ? nok : htmlFlow.tokenize.call(this, effects, ok, nok)
  },
}

/** Makes a micromark extension that starts no HTML block (CommonMark 4.6) at a JSX component: what follows it is Markdown. */
export const jsxComponents = (): Extension => ({
  disable: { null: [htmlFlow.name ?? ""] },
  flow: { 60: htmlButJsx },
})
