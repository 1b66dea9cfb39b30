// Reads the few of wrangler's options that matter here; all of them still go to wrangler.

/** The values of an option as wrangler reads them: `--var A:1 B:2 --var=C:3` are three. */
const valuesOf = (args, name) => {
  const values = []
  let isOpen = false
  for (const arg of args) {
    if (arg.startsWith(`--${name}=`)) values.push(arg.slice(name.length + 3))
    else if (isOpen && !arg.startsWith("-")) values.push(arg)
    isOpen = arg.startsWith("-") ? arg === `--${name}` : isOpen
  }
  return values
}

/** @returns `port`, `persistTo` and `vars`, each undefined or empty where the arguments do not say */
export const readOptions = (args) => ({
  port: valuesOf(args, "port")[0],
  persistTo: valuesOf(args, "persist-to")[0],
  vars: Object.fromEntries(
    valuesOf(args, "var").map((pair) => {
      const [name, ...value] = pair.split(":")
      return [name, value.join(":")]
    }),
  ),
})
