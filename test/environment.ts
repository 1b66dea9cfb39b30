import { join } from "node:path"

/** Sets the environment of the processes of a test suite. */
export const setEnvironment = (): void => {
  // Packages as the Worker bundles them: micromark has a second build for development, whose checks cost much.
  process.env["NODE_ENV"] = "production"
  // The command line runs in the tests' process, and takes an unnamed time zone from it.
  process.env["TZ"] = "UTC"
  // wrangler and the command line start many times; Node keeps their compiled code.
  process.env["NODE_COMPILE_CACHE"] = join(import.meta.dirname, "../node_modules/.cache/compiled")
}
