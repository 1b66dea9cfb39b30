// Verifies a delivery of the service by the library that the runner names.
const { LIBRARY, SECRET, HEADERS, BODY } = process.env
const { Webhook } = await import(LIBRARY)
const verify = (body, headers = JSON.parse(HEADERS)) => new Webhook(SECRET).verify(body, headers)

try {
  verify(BODY)
} catch (error) {
  console.log(`FAILED verify: ${error.message}`)
}
for (const [what, call] of Object.entries({
  "a changed body": () => verify(BODY.replace("PB", "DF")),
  "an old time": () => verify(BODY, { ...JSON.parse(HEADERS), "webhook-timestamp": "1700000000" }),
}))
  try {
    call()
    console.log(`FAILED ${what}: it was accepted`)
  } catch {
    // As it should be.
  }
