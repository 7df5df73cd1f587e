import { wideNetworkOf } from '../../kernel/operation/rate-key.ts';
import type { KeyGuard, RateDecision } from '../../kernel/ports/rate-limiter.ts';

/** The most verified keys in memory; the least recently used one is dropped first. */
const MAX_VERIFIED = 20_000;

/** The wrong keys of an address, counted. */
interface FailureCount {
  read(addressKey: string): RateDecision;
  add(addressKey: string): RateDecision | Promise<RateDecision>;
}

interface VerifiedKey {
  readonly agentId: string;
  readonly bookmark: string | null;
}

/** The verified keys, and the look-ups under way by address, in the isolate's memory. */
export function createKeyGuard(failures: FailureCount): KeyGuard {
  const known = new Map<string, VerifiedKey>();
  const underWay = new Map<string, number>();

  function remember(keyHash: string, key: VerifiedKey): void {
    known.delete(keyHash);
    known.set(keyHash, key);
    if (known.size <= MAX_VERIFIED) return;
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  }

  function holdersOf(addressKey: string): string[] {
    const wide = wideNetworkOf(addressKey);
    return wide === null ? [addressKey] : [addressKey, wide];
  }

  return {
    agentOf(keyHash) {
      const key = known.get(keyHash);
      if (key === undefined) return null;
      remember(keyHash, key);
      return key.agentId;
    },
    begin(addressKey) {
      const failed = failures.read(addressKey);
      if (failed.remaining === 0) return { ...failed, allowed: false };
      // Look-ups under way count as failures: otherwise a burst of guesses would get past the limit. Those of a /48
      // have the limit of one network.
      const holders = holdersOf(addressKey);
      if (holders.some((one) => (underWay.get(one) ?? 0) >= failed.limit))
        return { ...failed, allowed: false, remaining: 0, resetSeconds: 1 };
      for (const one of holders) underWay.set(one, (underWay.get(one) ?? 0) + 1);
      return null;
    },
    end(addressKey, keyHash, outcome) {
      for (const one of holdersOf(addressKey)) {
        const others = (underWay.get(one) ?? 1) - 1;
        if (others > 0) underWay.set(one, others);
        else underWay.delete(one);
      }
      if (typeof outcome === 'object') remember(keyHash, { agentId: outcome.agentId, bookmark: null });
      return outcome === 'invalid' ? failures.add(addressKey) : null;
    },
    forget(keyHash) {
      known.delete(keyHash);
    },
    bookmarkOf: (keyHash) => known.get(keyHash)?.bookmark ?? null,
    noteBookmark(keyHash, bookmark) {
      const key = known.get(keyHash);
      // Bookmarks sort by age: of two changes at once, the one that is known last may be the earlier one.
      if (key && bookmark > (key.bookmark ?? '')) remember(keyHash, { ...key, bookmark });
    },
  };
}
