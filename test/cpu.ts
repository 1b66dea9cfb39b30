/** Returns the seconds of processor time that work takes in this process. Other processes make it little longer, unlike the time of a clock. */
export const cpuSecondsOf = async (work: () => unknown): Promise<number> => {
  const start = process.cpuUsage()
  await work()
  return process.cpuUsage(start).user / 1e6
}
