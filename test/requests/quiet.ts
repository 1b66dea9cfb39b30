import { vi } from "vitest"

/** Silences the log of thousands of requests, so that only failures are printed. */
export const quieten = (): void => {
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue()
}
