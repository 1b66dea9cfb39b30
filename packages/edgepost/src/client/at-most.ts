/** Returns a function that runs work, at most `count` pieces of it at once; the others wait in the order of their calls. */
export const atMost = (count: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < count) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
