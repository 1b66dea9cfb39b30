import { spawn } from "node:child_process"
import { appendFileSync, realpathSync } from "node:fs"
import { join, relative } from "node:path"

import { plain } from "../terminal.ts"
import { branchOf, readEvent, whyOnlyPlan } from "../workspace/event.ts"
import { findWorkspace } from "../workspace/workspace.ts"
import { MAX_COMMENT_CHARS, writeComment } from "./github-comment.ts"
import { hasNewer } from "./github.ts"
import { countOf, describe, findingsOf, noiseOf, type Report, rowsOf, stopOf, toMarkdown } from "./report-text.ts"
import { setOutput, textMarks, toCommand } from "./workflow-commands.ts"

// The GitHub Action: runs the command line, and shows what it answers where GitHub shows it.

/** GitHub's limit of a step's summary is 1 MiB. */
const MAX_SUMMARY_CHARS = 300_000
const CLI = join(import.meta.dirname, "../bin.ts")

const { env } = process
const input = (name: string): string => (env[`EDGEPOST_INPUT_${name}`] ?? "").trim()
const say = (line: string): boolean => process.stdout.write(`${plain(line)}\n`)

/** Ends the step with an error. */
const fail = (message: string): never => {
  say(toCommand("error", {}, message))
  process.exit(1)
}

/** Tells whether an input is true. @param name as in action.yml */
const isOn = (name: string): boolean => {
  const value = input(name.toUpperCase().replaceAll("-", "_")).toLowerCase()
  if (!["true", "false", ""].includes(value)) fail(`The input ${name} must be true or false.`)
  return value === "true"
}

const readReport = (text: string): Report => {
  try {
    return JSON.parse(text) as Report
  } catch {
    return { error: { detail: "The command line printed no result: see the log." } }
  }
}

/** Runs the command line with the key, and without the other inputs. @returns its exit code and the JSON that it printed */
const runCommand = (args: string[], key: string): Promise<{ code: number; report: Report }> =>
  new Promise((done, failed) => {
    // The token of the repository has nothing to do with posts.
    const others = Object.entries(env).filter(([name]) => !name.startsWith("EDGEPOST_INPUT_"))
    const child = spawn(process.execPath, [CLI, ...args], {
      env: { ...Object.fromEntries(others), CI: "true", EDGEPOST_API_KEY: key, EDGEPOST_URL: input("URL") },
      stdio: ["ignore", "pipe", "pipe"],
    })
    // GitHub reads two streams in no order, so that these lines must be in the one with the marks around them.
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => process.stdout.write(chunk))
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    child.once("error", failed)
    child.once("close", (code) => {
      done({ code: code ?? 1, report: readReport(text) })
    })
  })

const event = readEvent(env)
const key = input("API_KEY")
const mode = input("MODE")
if (!["auto", "plan", "publish"].includes(mode)) fail("The input mode must be auto, plan or publish.")
const why = mode === "auto" ? whyOnlyPlan(event) : null
const mayPublish = mode !== "plan" && why === null
if (key !== "") say(toCommand("add-mask", {}, key))
if (key === "" && mayPublish)
  fail("The input api-key is empty. Make a key on the settings page, and save it as a secret.")
if (key !== "" && input("URL") === "") fail("The input url is empty. It says where the service is.")

const path = input("PATH")
const isOld = mayPublish && !isOn("publish_old") ? await hasNewer(env, input("GITHUB_TOKEN"), event, path) : false
const isPlan = !mayPublish || isOld === true
/** Says why this run plans or publishes, if that is no matter of course. */
const standing = [
  why !== null && event.pullRequest === null && `This is a plan: ${why}. \`mode: publish\` publishes all the same.`,
  isOld === true &&
    `This is a plan: ${branchOf(event)} has a newer commit, which publishes. If no run publishes it, start one by hand, or publish this one with \`publish_old: true\`.`,
  isOld === null && "GitHub could not be asked whether the branch has a newer commit.",
].filter((line) => line !== false)
for (const line of standing) say(toCommand(isOld ? "warning" : "notice", { title: "edgepost" }, line))
const options = [
  ...(isPlan && key !== "" ? ["--check"] : []),
  ...(key === "" ? ["--offline"] : []),
  ...(isOn("prune") && key !== "" ? ["--prune"] : []),
  ...(isOn("allow-foreign") ? ["--allow-foreign"] : []),
  ...(isOn("allow-missing-images") ? ["--allow-missing-images"] : []),
  ...(isOn("accept_changes") ? ["--accept-changes"] : []),
]
const isCommented = isOn("comment")
const [start, end] = textMarks()
say(start)
const { code, report: ran } = await runCommand([isPlan ? "plan" : "publish", "--json", ...options, "--", path], key)
const report: Report = { ...ran, remarks: [...standing, ...(ran.remarks ?? [])] }
const rows = rowsOf(report)
for (const { result, slug, file, url } of rows)
  say([result.padEnd(11), slug, file ?? "", url ?? ""].join(" ").trimEnd())
for (const line of report.remarks ?? []) say(line)
say(end)

/** The root of the repository, which may be checked out below the workspace. */
const { repository, top } = findWorkspace(path, env)
/** Returns the path of a file by which GitHub shows a remark beside its line. */
const inRepository = (file: string): string =>
  report.root ? relative(realpathSync(repository ?? top), join(report.root, file)) : file

const noise = noiseOf(report)
const findings = noise.rest(findingsOf(report))
for (const line of noise.lines()) say(toCommand("warning", { title: "edgepost" }, line))
for (const line of report.notices ?? []) say(toCommand("notice", { title: "edgepost" }, line))
for (const { level, message, file, line } of findings)
  say(toCommand(level, { file: inRepository(file), line, title: "edgepost" }, message))
for (const { slug, file, error } of report.outcomes ?? [])
  if (error) {
    const place: Record<string, string> = file === null ? {} : { file: inRepository(file) }
    say(toCommand("error", { ...place, title: "edgepost" }, `${slug}: ${describe(error)}`))
  }
const stop = stopOf(report)
if (stop !== null) say(toCommand("error", { title: "edgepost" }, stop))
if (key === "") say(toCommand("notice", { title: "edgepost" }, "There is no key here, so only the files were checked."))

const outputs = env["GITHUB_OUTPUT"]
if (outputs) {
  for (const name of ["created", "updated", "unchanged", "blocked"]) setOutput(outputs, name, `${countOf(rows, name)}`)
  setOutput(outputs, "result", JSON.stringify(rows, ["result", "slug", "file", "url", "state"]))
}
const summary = env["GITHUB_STEP_SUMMARY"]
const service = URL.canParse(input("URL")) ? new URL(input("URL")).origin : ""
if (summary) appendFileSync(summary, toMarkdown(report, isPlan, service, MAX_SUMMARY_CHARS))
const { account = null } = report
if (isCommented && event.pullRequest !== null && key !== "")
  try {
    const text = toMarkdown(report, isPlan, service, MAX_COMMENT_CHARS - 1000)
    await writeComment(env, input("GITHUB_TOKEN"), event.pullRequest, text, { path, service, account })
  } catch (error) {
    // The plan stands in the summary as well.
    say(toCommand("warning", { title: "edgepost" }, `The comment could not be written: ${(error as Error).message}`))
  }
process.exitCode = code
