/** Returns the seconds of processor time that work takes in this process. Other processes do not lengthen it, as they do the time that passes. */
export const cpuSecondsOf = async (work: () => unknown): Promise<number> => {
  const start = process.cpuUsage()
  await work()
  return process.cpuUsage(start).user / 1e6
}
