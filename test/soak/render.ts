// Renders one document of a hostile family. memory.ts runs it in a process with limited memory.
import { FAMILIES } from "../../bench/markdown/families.ts"
import { TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { finish, render } from "../../src/markdown/render.ts"

const [name = "", length = ""] = process.argv.slice(2)
const make = FAMILIES[name]
if (!make) throw new Error(`There is no family named ${name}.`)
const rendered = render(make(Number(length)))
if (!(rendered instanceof TooComplex)) finish(rendered, { show: () => ({ width: 1, height: 1 }), language: "en" })
