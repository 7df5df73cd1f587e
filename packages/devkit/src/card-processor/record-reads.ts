/** Read by Stripe's library of whatever it received, not by us. */
const OF_THE_LIBRARY = new Set(['error', 'lastResponse', 'object', 'then', 'toJSON']);

/**
 * From now on notes each field that is read of what Stripe, or what takes its place, answers: as `charge.amount`, or
 * `charge.payment_method_details.card.fingerprint`.
 */
export function recordReads(): { readonly read: ReadonlySet<string>; stop(): void } {
  const read = new Set<string>();
  const { parse } = JSON;
  JSON.parse = (...words: Parameters<typeof parse>) => watch(parse(...words), '');

  function watch(value: unknown, path: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const { object } = value as { readonly object?: unknown };
    const name = typeof object === 'string' ? object : path;
    return new Proxy(value, {
      get(target, key, self) {
        const member: unknown = Reflect.get(target, key, self);
        if (typeof key === 'symbol' || typeof member === 'function') return member;
        if (Array.isArray(target)) return watch(member, name);
        if (name === '' || OF_THE_LIBRARY.has(key)) return member;
        read.add(`${name}.${key}`);
        // What people put in is theirs to name.
        return key === 'metadata' ? member : watch(member, `${name}.${key}`);
      },
    });
  }
  return {
    read,
    stop: () => {
      JSON.parse = parse;
    },
  };
}
