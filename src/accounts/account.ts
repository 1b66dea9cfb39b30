import type { Account } from "../tables.ts"

/** Whether the account has paid time left. */
export const isPaid = ({ paid_until }: Pick<Account, "paid_until">, now: Date): boolean =>
  paid_until !== null && paid_until > now
