import { makeDemoAccount, USERNAME } from "./account.mjs"
import { Failure, main } from "./cli.mjs"
import { installPackages } from "./prepare.mjs"
import { startService } from "./service.mjs"
import { readWorkflow } from "./workflow.mjs"

const CRON_MS = 60_000

// wrangler dev leaves cron triggers to the developer; without them unused pictures would stay for ever.
const runCron = (origin) => {
  setInterval(() => void fetch(`${origin}/cdn-cgi/local/scheduled`).catch(console.error), CRON_MS).unref()
}

const greeting = (origin, { key, signInUrl, isRotated }) => {
  const { upload, create, publish, translations, read, look, delete: remove } = readWorkflow()
  const revoked = isRotated ? " The one of the last start is revoked." : ""
  return `
This link opens the blog settings of the paid account \`${USERNAME}\` in a browser, once, within 15 minutes:
${signInUrl}

This is the account's key, shown only now.${revoked}
Paste these lines in a second terminal, in this folder:

export BASE=${origin}
export KEY=${key}

# 1. Upload a picture.
${upload}

# 2. Write a draft that shows it.
${create}

# 3. Publish it, in two more languages.
${publish}

# 4. See how far the translations are, until both are ready.
${translations}

# 5. Read it.
${read}

# 6. Look at it: open these pages in a browser.
${look}

# 7. Delete it, when you have seen enough: paste the next line without its #.
${remove.replaceAll(/^/gm, "# ")}

All calls: ${origin}/docs/. Stop: Ctrl-C.
`
}

await main(async () => {
  installPackages()
  const { origin, log, ...service } = await startService(process.argv.slice(2))
  try {
    const account = await makeDemoAccount({ origin, operatorToken: service.operatorToken })
    console.log(greeting(origin, account))
    console.log(`Ready on ${origin}`)
    log.isFollowed = true
    runCron(origin)
    if (!(await service.ended).wasStopped) throw new Failure("wrangler dev has ended by itself.")
  } finally {
    await service.stop()
  }
})
