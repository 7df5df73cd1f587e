import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { ReceivedPost } from './seller.ts';

export type Check =
  | { readonly kind: 'response' | 'rpc'; readonly text: string }
  | { readonly kind: 'statement'; readonly statement: unknown; readonly receipt: unknown }
  | ({ readonly kind: 'post'; readonly url: string } & ReceivedPost);

/** What OpenSSL and Python find wrong; they share no code with the marketplace. */
export function faultsFound(keys: Readonly<Record<string, string>>, checks: readonly Check[]): string[] {
  const script = join(import.meta.dirname, 'independent.py');
  const printed = execFileSync('python3', [script], { input: JSON.stringify({ keys, checks }) });
  return JSON.parse(printed.toString('utf8')) as string[];
}
