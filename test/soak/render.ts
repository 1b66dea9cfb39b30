// Run by memory.ts in a process whose memory is bounded: renders one document of a hostile family, accepted or refused.
import { FAMILIES } from "../../bench/markdown/families.ts"
import { TooComplex } from "../../src/markdown/budget.ts"
import { finish, render } from "../../src/markdown/render.ts"

const [name = "", length = ""] = process.argv.slice(2)
const make = FAMILIES[name]
if (!make) throw new Error(`No family is named ${name}.`)
const rendered = render(make(Number(length)))
if (!(rendered instanceof TooComplex)) finish(rendered, { show: () => ({ width: 1, height: 1 }), language: "en" })
