import ipaddr from 'ipaddr.js';

/** The number of 16-bit groups of the network part: the owner of one IPv6 address has the whole /64. */
const NETWORK_GROUPS = 4;
const IPV6_NETWORK = /^((?:[0-9a-f]{1,4}:){3})[0-9a-f]{1,4}::\/64$/;
/** How many times the allowance of one network all 65,536 networks of a /48 have together. */
export const WIDE_NETWORK_FACTOR = 10;
/** The parser throws for anything else, which takes longer than the rest of a request's admission. */
const MAY_BE_ADDRESS = /[.:]/;
/** Longer than any address, and than any zone. */
const MAX_LENGTH = 300;
/** Cloudflare sends the requests of all Workers of other zones from this one address. */
const SHARED_BY_WORKERS = '2a06:98c0:3600::103';

/** Who sends a request: its address; or, where that is one for all Workers, the zone of the Worker that sends it. */
export function clientAddressOf(headers: Headers): string {
  const address = headers.get('cf-connecting-ip') ?? 'unknown';
  if (address !== SHARED_BY_WORKERS) return address;
  // Cloudflare sets the header on these requests only; from any other address it is the caller's own word.
  return `worker ${(headers.get('cf-worker') ?? '').toLowerCase()}`;
}

/**
 * The key by which an address is counted: an IPv4 address itself, also if written as IPv6 (`::ffff:…`); the /64 of an
 * IPv6 address; any other text itself.
 */
export function rateKeyOf(address: string): string {
  if (!MAY_BE_ADDRESS.test(address) || !ipaddr.isValid(address)) return address.slice(0, MAX_LENGTH);
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/**
 * The /48 that the /64 of a rate key lies in; null: it is no IPv6 network. Whoever is given a /48 or a /56 has thousands of
 * /64, each of which would have limits of its own.
 */
export function wideNetworkOf(rateKey: string): string | null {
  const groups = IPV6_NETWORK.exec(rateKey)?.[1];
  return groups === undefined ? null : `${groups}:/48`;
}
