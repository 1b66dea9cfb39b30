#!/usr/bin/env node
// Starts the command line. The modules behind it do not even load in an older Node.

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`edgepost needs Node.js 22.18 or newer, and this is ${process.version}.`)
  console.error("Install a newer one from https://nodejs.org/.")
  process.exit(2)
}
await import("./cli.ts")
