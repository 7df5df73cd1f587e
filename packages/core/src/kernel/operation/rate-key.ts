import ipaddr from 'ipaddr.js';

/** The number of 16-bit groups of the network part: the owner of one IPv6 address has the whole /64. */
const NETWORK_GROUPS = 4;
/** Longer than any address. */
const MAX_LENGTH = 64;

/**
 * The key by which an address is counted: an IPv4 address itself, also if written as IPv6 (`::ffff:…`); the /64 of an
 * IPv6 address; any other text itself.
 */
export function rateKeyOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, MAX_LENGTH);
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
