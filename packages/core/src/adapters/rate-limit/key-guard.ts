import { wideNetworkOf } from '../../kernel/operation/rate-key.ts';
import type { KeyGuard, RateDecision } from '../../kernel/ports/rate-limiter.ts';

/** The most verified keys in memory; the least recently used one is dropped first. */
const MAX_VERIFIED = 20_000;

/** The wrong keys of an address, counted. */
interface FailureCount {
  read(addressKey: string): RateDecision;
  add(addressKey: string): RateDecision | Promise<RateDecision>;
}

/** The verified keys, and the look-ups under way by address, in the isolate's memory. */
export function createKeyGuard(failures: FailureCount): KeyGuard {
  const known = new Map<string, string>();
  const underWay = new Map<string, number>();

  function remember(keyHash: string, agentId: string): void {
    known.delete(keyHash);
    known.set(keyHash, agentId);
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
      const agentId = known.get(keyHash);
      if (agentId === undefined) return null;
      remember(keyHash, agentId);
      return agentId;
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
      if (typeof outcome === 'object') remember(keyHash, outcome.agentId);
      return outcome === 'invalid' ? failures.add(addressKey) : null;
    },
    forget(keyHash) {
      known.delete(keyHash);
    },
  };
}
