import type { KeyGuard, RateDecision } from '../../kernel/ports/rate-limiter.ts';

/** The most keys remembered as good; the one that was not used for longest is forgotten first. */
const MAX_VERIFIED = 20_000;

/**
 * Keys that were good, and how many of an address are being looked up, in the isolate's memory. `failures` is
 * the window of an address's keys that were none: 1 counts one more, 0 only looks.
 */
export function createKeyGuard(failures: (addressKey: string, times: 0 | 1) => RateDecision): KeyGuard {
  const known = new Set<string>();
  const underWay = new Map<string, number>();

  function remember(keyHash: string): void {
    known.delete(keyHash);
    known.add(keyHash);
    if (known.size <= MAX_VERIFIED) return;
    const [oldest] = known;
    if (oldest !== undefined) known.delete(oldest);
  }

  return {
    isKnown(keyHash) {
      if (!known.has(keyHash)) return false;
      remember(keyHash);
      return true;
    },
    begin(addressKey) {
      const failed = failures(addressKey, 0);
      const others = underWay.get(addressKey) ?? 0;
      if (failed.remaining === 0) return { ...failed, allowed: false };
      // How they end is not known yet: a burst of guesses is not let through for that.
      if (others >= failed.limit) return { ...failed, allowed: false, remaining: 0, resetSeconds: 1 };
      underWay.set(addressKey, others + 1);
      return null;
    },
    end(addressKey, keyHash, outcome) {
      const others = (underWay.get(addressKey) ?? 1) - 1;
      if (others > 0) underWay.set(addressKey, others);
      else underWay.delete(addressKey);
      if (outcome === 'valid') remember(keyHash);
      return outcome === 'invalid' ? failures(addressKey, 1) : null;
    },
    forget(keyHash) {
      known.delete(keyHash);
    },
  };
}
