import { mf2 } from "microformats-parser"

const { PAGE } = process.env
console.log(JSON.stringify(mf2(await (await fetch(PAGE)).text(), { baseUrl: PAGE })))
