import { execFile } from 'node:child_process';
import { join } from 'node:path';

type LogCheck =
  | { readonly kind: 'note'; readonly text: string; readonly vkey: string }
  | { readonly kind: 'checkpoint'; readonly text: string; readonly cosignatures: number }
  | { readonly kind: 'root'; readonly leaves: readonly string[]; readonly root: string }
  | { readonly kind: 'inclusion'; readonly proof: string; readonly leaf: string }
  | {
      readonly kind: 'consistency';
      readonly older: string;
      readonly newer: string;
      readonly hashes: readonly string[];
    }
  | {
      readonly kind: 'surface';
      /** The prefix of the log. */
      readonly url: string;
      readonly digests: readonly string[];
      /** A checkpoint of before; null: none is known. */
      readonly older: string | null;
    }
  | {
      readonly kind: 'demand';
      /** The prefix of the log. */
      readonly url: string;
      /** That of the marketplace. */
      readonly api: string;
    };

export interface LogChecks {
  /** The verifier key of the log. */
  readonly log: string;
  readonly witnesses: readonly string[];
  readonly checks: readonly LogCheck[];
}

/** What OpenSSL and Python find wrong with a log; they share no code with the marketplace. */
export function logFaultsFound(given: LogChecks): Promise<string[]> {
  const script = join(import.meta.dirname, 'independent_log.py');
  return new Promise((resolve, reject) => {
    const child = execFile('python3', [script], { maxBuffer: 1e8 }, (error, stdout) => {
      if (error) reject(error);
      else resolve(JSON.parse(stdout) as string[]);
    });
    child.stdin?.end(JSON.stringify(given));
  });
}
