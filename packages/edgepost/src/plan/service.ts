import type { Account, Client } from "../client/index.ts"

/** The fields of the account that a plan needs. */
export type Author = Pick<Account, "username" | "primary_language" | "translation_languages" | "limits"> & {
  key?: Account["key"]
}

/** The calls of a plan. */
export interface Service extends Pick<Client, "paginatePosts" | "findImages"> {
  getAccount: () => Promise<Author>
}
