/** Structured log lines. Fields never hold keys, private names, e-mail addresses or deliverables. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}
