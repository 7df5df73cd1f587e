import ipaddr from 'ipaddr.js';

/** Groups of 16 bits that name the network: whoever has one IPv6 address has the whole /64. */
const NETWORK_GROUPS = 4;
/** Longer than any address. */
const MAX_LENGTH = 64;

/**
 * What an address is counted by: an IPv4 address by itself, also where it comes as IPv6 (`::ffff:…`), an IPv6
 * address by its /64. What is no address is counted by its text.
 */
export function rateKeyOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, MAX_LENGTH);
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
