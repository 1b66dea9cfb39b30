import { env } from "../support.ts"

/** Inserts sessions `<account>-1` and so on without known cookies, each last seen one second after the previous one. */
export const seedSessions = async (account: string, count: number): Promise<void> => {
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?3)
     insert into sessions (hash, account_id, user_agent, created_at, last_seen_at, expires_at)
     select ?1 || '-' || i, ?1, 'A browser', ?2, ?2 + i * 1000, ?2 + 9000000 from n`,
  )
    .bind(account, Date.now(), count)
    .run()
}
