/** All IPv4 and IPv6 addresses of a name. Empty: it has none. Null: the look-up failed. */
export type HostResolver = (hostname: string) => Promise<readonly string[] | null>;

export interface DnsOverHttpsOptions {
  readonly fetch: typeof globalThis.fetch;
  /** A server of the `application/dns-json` form. */
  readonly server?: string;
  readonly timeoutMs?: number;
}

/** Record type numbers of RFC 1035 and RFC 3596. */
const RECORD_TYPES = { A: 1, AAAA: 28 } as const;
const DNS_OK = 0;
const DNS_NO_SUCH_NAME = 3;
/** The longest time that an answer is cached, whatever its TTL. */
const CACHE_MAX_MS = 60_000;
const CACHE_MAX_NAMES = 500;

/**
 * Workers cannot see which address `fetch` connects to, so the name is resolved over HTTPS first. Both families
 * must answer: `fetch` could use an address that was not checked.
 */
export function createDnsOverHttpsResolver(options: DnsOverHttpsOptions): HostResolver {
  const { fetch, server = 'https://cloudflare-dns.com/dns-query', timeoutMs = 5_000 } = options;
  const cache = new Map<string, { addresses: readonly string[]; expiresAt: number }>();

  async function lookUp(hostname: string, type: keyof typeof RECORD_TYPES): Promise<Found | null> {
    const response = await fetch(`${server}?name=${encodeURIComponent(hostname)}&type=${type}`, {
      headers: { accept: 'application/dns-json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      response.body?.cancel().catch(() => {});
      return null;
    }
    return readDnsAnswer(await response.json(), RECORD_TYPES[type]);
  }

  return async (hostname) => {
    const known = cache.get(hostname);
    if (known && known.expiresAt > Date.now()) return known.addresses;
    cache.delete(hostname);
    try {
      const [a, aaaa] = await Promise.all([lookUp(hostname, 'A'), lookUp(hostname, 'AAAA')]);
      if (!a || !aaaa) return null;
      const addresses = [...a.addresses, ...aaaa.addresses];
      const ttlMs = Math.min(a.ttlMs, aaaa.ttlMs, CACHE_MAX_MS);
      if (addresses.length > 0 && ttlMs > 0) {
        // Maps iterate in order of insertion: the first name is the oldest.
        const oldest = cache.size >= CACHE_MAX_NAMES ? cache.keys().next().value : undefined;
        if (oldest !== undefined) cache.delete(oldest);
        cache.set(hostname, { addresses, expiresAt: Date.now() + ttlMs });
      }
      return addresses;
    } catch {
      return null;
    }
  };
}

interface Found {
  readonly addresses: readonly string[];
  readonly ttlMs: number;
}

/** Null: the server failed. CNAME records in the answer are skipped. */
function readDnsAnswer(answer: unknown, recordType: number): Found | null {
  const { Status: status, Answer: records = [] } = (answer ?? {}) as { Status?: unknown; Answer?: unknown };
  if (status === DNS_NO_SUCH_NAME) return { addresses: [], ttlMs: CACHE_MAX_MS };
  if (status !== DNS_OK || !Array.isArray(records)) return null;

  const addresses: string[] = [];
  let ttlMs = CACHE_MAX_MS;
  for (const record of records as { type?: unknown; TTL?: unknown; data?: unknown }[]) {
    ttlMs = Math.min(ttlMs, Number(record.TTL ?? 0) * 1000);
    if (record.type !== recordType) continue;
    if (typeof record.data !== 'string') return null;
    addresses.push(record.data);
  }
  return { addresses, ttlMs: Number.isNaN(ttlMs) ? 0 : ttlMs };
}
