import { expect, it } from "vitest"

import { pseudo } from "../../../src/translations/engines/pseudo.ts"

it.each([
  [["house and home"], "fr", ["house·fr and·fr home·fr"]],
  [["Zürich", "naïve Ångström"], "pt-BR", ["Zürich·pt-BR", "naïve·pt-BR Ångström·pt-BR"]],
  [["42, 3.14 — !"], "fr", ["42, 3.14 — !"]],
  [["&amp; &#65; &#x41; a&b"], "fr", ["&amp; &#65; &#x41; a·fr&b·fr"]],
  [["e\u0301te\u0301"], "fr", ["e\u0301te\u0301·fr"]],
  [[], "fr", []],
  [["", " "], "fr", ["", " "]],
  [['<g id="1">a</g><x id="2"/>'], "fr", ['<g id="1">a·fr</g><x id="2"/>']],
])("the test engine pseudo translates %j to %s as %j", async (segments, to, expected) => {
  expect(await pseudo.translate({ segments, from: "en", to })).toEqual({ texts: expected })
})
