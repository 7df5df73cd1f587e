import type { Readable, Writable } from 'node:stream';

/** Where a command reads and writes: the process's own, or a test's. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly interrupt: AbortSignal;
  /** Rejects once the signal is aborted. Replaced in tests. */
  readonly sleep: (durationMs: number, signal?: AbortSignal) => Promise<void>;
}
