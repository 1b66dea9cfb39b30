/** So many months later, at the end of a month that has no such day. */
const addMonths = (time: Date, months: number): Date => {
  const later = new Date(time)
  later.setUTCMonth(later.getUTCMonth() + months)
  if (later.getUTCDate() !== time.getUTCDate()) later.setUTCDate(0)
  return later
}

/** The paid time with so many months on top: of what is left, or from now on. */
export const extended = (paidUntil: Date | null, months: number, now: Date): Date =>
  addMonths(paidUntil && paidUntil > now ? paidUntil : now, months)
