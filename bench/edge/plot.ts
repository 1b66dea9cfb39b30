/** The medians of an operation at a distance, in ms; `bare` is null where the bare Worker has no such operation. */
export interface Point {
  operation: string
  distance: number
  edgepost: number
  bare: number | null
}

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [720, 420, 50, 20, 110, 40]
const COLOURS = [
  "#2f7ed8",
  "#1b4f8a",
  "#8bbc21",
  "#4d7a00",
  "#f28f43",
  "#b35900",
  "#77a1e5",
  "#c42525",
  "#7b2d8b",
  "#555",
]

/** Returns the time of each operation over the distance as SVG: edgepost as lines, the bare Worker as dots. */
export const plot = (points: Point[]): string => {
  const most = Math.max(...points.flatMap(({ edgepost, bare }) => [edgepost, bare ?? 0]))
  const far = Math.max(...points.map(({ distance }) => distance))
  const x = (distance: number): string => (LEFT + ((WIDTH - LEFT - RIGHT) * distance) / far).toFixed(1)
  const y = (ms: number): string => (HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * ms) / most).toFixed(1)
  const operations = [...Map.groupBy(points, ({ operation }) => operation)]
  const lines = operations.flatMap(([operation, own], i) => {
    const colour = COLOURS[i % COLOURS.length] ?? "#000"
    const path = own.map(({ distance, edgepost }) => `${x(distance)},${y(edgepost)}`).join(" ")
    const dots = own.flatMap(({ distance, bare }) =>
      bare === null ? [] : [`<circle cx="${x(distance)}" cy="${y(bare)}" r="3" fill="${colour}"/>`],
    )
    const end = own.at(-1)
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
      ...dots,
      `<text x="${WIDTH - RIGHT + 8}" y="${Number(y(end?.edgepost ?? 0)) + 4}" fill="${colour}">${operation}</text>`,
    ]
  })
  const distances = [...new Set(points.map(({ distance }) => distance))]
  const marks = [
    ...distances.map((ms) => `<text x="${x(ms)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${ms}</text>`),
    ...[0, 0.5, 1].map(
      (part) => `<text x="${LEFT - 6}" y="${y(most * part)}" text-anchor="end">${(most * part).toFixed(0)}</text>`,
    ),
    `<text x="${LEFT}" y="${HEIGHT - 6}">ms of a trip to the data; upwards: ms of a request (lines: edgepost, dots: bare Worker)</text>`,
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11" role="img" aria-label="Time of requests over the distance to the data">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${[...lines, ...marks].join("\n")}
</svg>
`
}
