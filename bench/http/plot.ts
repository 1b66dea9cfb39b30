// Draws the p50 of every operation as bars: the bare Worker and edgepost, at each number of posts.
import { at } from "../shared.ts"
import type { Summary } from "./tables.ts"

const WIDTH = 720
const LEFT = 110
const RIGHT = 60
const BAR = 11
const GAP = 14
/** The fewest posts and more posts. */
const COLOURS = { bare: ["#9aa5b1", "#6b7785"], edgepost: ["#2f7ed8", "#1b4f8a"] }

const text = (x: number | string, y: number, content: string, more = ""): string =>
  `<text x="${x}" y="${y}"${more}>${content}</text>`

/** Returns the plot as SVG. */
export const plot = (summary: Summary, sizes: number[]): string => {
  const series = sizes.flatMap((size, i) =>
    Object.entries(COLOURS).map(([side, [few, many]]) => ({
      name: `${side}, ${size}`,
      colour: i === 0 ? few : many,
    })),
  )
  const groups = Object.entries(summary).map(([operation, found]) => {
    const { figures } = at(found, 1)
    return { operation, times: series.map(({ name, colour }) => ({ colour, p50: at(figures, name).p50 })) }
  })
  const most = Math.max(...groups.flatMap(({ times }) => times.map(({ p50 }) => p50)))
  const group = series.length * BAR + GAP
  const height = 50 + groups.length * group + GAP
  const legend = series.map(({ name, colour }, i) => {
    const x = LEFT + i * 145
    return `<rect x="${x}" y="16" width="10" height="10" fill="${colour}"/>${text(x + 15, 25, `${name} posts`)}`
  })
  const bars = groups.flatMap(({ operation, times }, g) => {
    const top = 44 + g * group
    return [
      text(LEFT - 8, top + (series.length * BAR) / 2 + 4, operation, ' text-anchor="end"'),
      ...times.map(({ colour, p50 }, i) => {
        const width = ((WIDTH - LEFT - RIGHT) * p50) / most
        const y = top + i * BAR
        return `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 1}" fill="${colour}"/>${text((LEFT + width + 5).toFixed(1), y + 9, `${p50.toFixed(2)} ms`)}`
      }),
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11" role="img" aria-label="Medians of the time that each operation takes">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${[...legend, ...bars].join("\n")}
</svg>
`
}
