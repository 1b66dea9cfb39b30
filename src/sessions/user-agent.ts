const BROWSERS: [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg/],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
]
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ["Android", /\bAndroid\b/],
  ["iOS", /\b(?:iPhone|iPad)\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
]

/** Returns the browser and operating system in a User-Agent header: `Firefox on Linux`, or `Another program` if it knows neither. */
export const describeUserAgent = (header: string): string => {
  const find = (names: [string, RegExp][]) => names.find(([, pattern]) => pattern.test(header))?.[0]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? "Another program")
}
