import { vi } from "vitest"

/** Thousands of requests log nothing: what is printed of a failure is the failure. */
export const quieten = (): void => {
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue()
}
