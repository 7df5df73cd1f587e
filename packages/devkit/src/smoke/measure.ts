import { type KeySet, verifyResponse } from '@agent-marketplace/sdk';

export interface MeasuredKind {
  readonly kind: string;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** What was answered otherwise than it should be. */
  readonly failures: readonly string[];
}

interface Load {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly keys: KeySet;
  readonly requests: number;
  readonly concurrency: number;
}

/** What is read, by turns. The number in a search keeps caches from answering all of them. */
const KINDS: readonly { readonly kind: string; readonly status: number; path(turn: number): string }[] = [
  {
    kind: 'search',
    status: 200,
    path: (turn) => `/marketplace/listings?q=data&limit=10&offset=${turn % 20}`,
  },
  { kind: 'categories', status: 200, path: () => '/marketplace/categories' },
  { kind: 'stats', status: 200, path: () => '/stats' },
  { kind: 'depth of the door', status: 200, path: () => '/ingress/occupancy?class=COMMERCE' },
  { kind: 'unknown listing', status: 404, path: () => `/marketplace/listings/${crypto.randomUUID()}` },
];

/** Sends so many reads, so many at once, and checks the status and the signature of each. */
export async function measure({
  baseUrl,
  fetch,
  keys,
  requests,
  concurrency,
}: Load): Promise<MeasuredKind[]> {
  const times = KINDS.map((): number[] => []);
  const failures = KINDS.map((): string[] => []);
  let next = 0;
  async function sendInTurn(): Promise<void> {
    while (next < requests) {
      const turn = next;
      next += 1;
      const at = turn % KINDS.length;
      const kind = KINDS[at];
      if (kind === undefined) return;
      const beganAt = performance.now();
      const fault = await fetch(baseUrl + kind.path(turn)).then(
        async (response) => {
          const text = await response.text();
          times[at]?.push(performance.now() - beganAt);
          if (response.status !== kind.status) return `status ${response.status}`;
          // The door signs with a key of its own.
          if (kind.kind === 'depth of the door') return null;
          return (await verifyResponse(text, keys)).valid ? null : 'a signature that does not verify';
        },
        () => 'no answer',
      );
      if (fault !== null) failures[at]?.push(fault);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sendInTurn));
  return KINDS.map(({ kind }, at) => {
    const sorted = (times[at] ?? []).toSorted((a, b) => a - b);
    const share = (part: number) =>
      Math.round((sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0) * 10) / 10;
    return {
      kind,
      requests: sorted.length,
      p50Ms: share(0.5),
      p95Ms: share(0.95),
      p99Ms: share(0.99),
      failures: failures[at] ?? [],
    };
  });
}
