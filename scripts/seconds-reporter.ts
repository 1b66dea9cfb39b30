import type { Reporter, TestModule } from "vitest/node"

const secondsOf = (module: TestModule): number => {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic()
  return (prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration) / 1000
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0)

const table = (rows: (string | number)[][]): string =>
  rows
    .map(([name, ...cells]) =>
      [String(name).padEnd(10), ...cells.map((cell) => String(cell).padStart(8))].join("").trimEnd(),
    )
    .join("\n")

const rowOf = (name: string, modules: readonly TestModule[]) => [
  name,
  modules.length,
  sum(modules.map(({ children }) => [...children.allTests()].length)),
  sum(modules.map(secondsOf)).toFixed(0),
]

/**
 * Prints after a run how many seconds each project took in all processes together. If the variable `SLOWEST` is set, prints
 * as well its number of slowest files.
 */
export default class SecondsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const projects = Map.groupBy(modules, ({ project }) => project.name)
    const rows = [...projects].map(([name, all]) => rowOf(name, all))
    console.log(table([["project", "files", "tests", "seconds"], ...rows, rowOf("all", modules)]))
    const slowest = modules
      .toSorted((a, b) => secondsOf(b) - secondsOf(a))
      .slice(0, Number(process.env["SLOWEST"] ?? 0))
    for (const module of slowest)
      console.log(`${secondsOf(module).toFixed(1).padStart(6)} s  ${module.relativeModuleId}`)
  }
}
