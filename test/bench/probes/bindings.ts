/** What test/bench/probe.wrangler.toml and the local marketplace bind a probe to. */
export interface ProbeBindings {
  readonly DB: D1Database;
  readonly SEARCH: D1Database;
  readonly SIGNING_KEY: string;
  readonly COUNTER: RateLimit;
}
