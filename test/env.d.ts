declare namespace Cloudflare {
  interface Env {
    MIGRATIONS: import("cloudflare:test").D1Migration[]
    REPLICA: D1Database
    REPLICA: D1Database
  }
}
