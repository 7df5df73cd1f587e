import ipaddr from 'ipaddr.js';

/** Why a URL may not be called. Every reason has a sentence in `ENDPOINT_URL_REFUSALS`. */
export type EndpointUrlRefusal =
  | 'not_a_url'
  | 'too_long'
  | 'not_https'
  | 'has_credentials'
  | 'has_fragment'
  | 'port_not_allowed'
  | 'malformed_host'
  | 'single_label_host'
  | 'local_name'
  | 'reserved_name'
  | AddressRefusal;

export type AddressRefusal =
  | 'not_an_address'
  | 'unspecified_address'
  | 'loopback_address'
  | 'private_address'
  | 'link_local_address'
  | 'shared_address'
  | 'multicast_address'
  | 'broadcast_address'
  | 'translated_address'
  | 'reserved_address';

export const ENDPOINT_URL_REFUSALS: Readonly<Record<EndpointUrlRefusal, string>> = {
  not_a_url:
    'It is not an absolute URL without spaces, control characters, backslashes, quotes and angle brackets.',
  too_long: 'It is longer than 2048 characters.',
  not_https: 'It does not start with https://.',
  has_credentials: 'It holds a user name or password.',
  has_fragment: 'It holds a fragment (#).',
  port_not_allowed: 'Its port is neither 443 nor above 1023.',
  malformed_host: 'Its host is not a valid DNS name.',
  single_label_host: 'Its host is a single label, which only a private network can resolve.',
  local_name: 'Its host is a name for this machine or for a private network.',
  reserved_name: 'Its host is under a top-level name that is reserved and not part of the public DNS.',
  not_an_address: 'Its host resolves to something that is not an IP address.',
  unspecified_address: 'Its host is an unspecified address.',
  loopback_address: 'Its host is a loopback address.',
  private_address: 'Its host is an address of a private network.',
  link_local_address: 'Its host is a link-local address.',
  shared_address: 'Its host is an address shared by carriers (CGNAT).',
  multicast_address: 'Its host is a multicast address.',
  broadcast_address: 'Its host is the broadcast address.',
  translated_address:
    'Its host is an IPv6 address that stands for an IPv4 address (mapped, NAT64, 6to4, Teredo).',
  reserved_address: 'Its host is a reserved, documentation or benchmarking address.',
};

export const ENDPOINT_URL_MAX_LENGTH = 2048;

export interface EndpointUrlPolicy {
  /** Local development only: http and https to this machine, on any port. */
  readonly allowLoopbackHttp: boolean;
}

export type EndpointUrlCheck =
  | {
      readonly ok: true;
      readonly hostname: string;
      /** The host needs no resolving: it is a public address, or this machine where that is allowed. */
      readonly isAddress: boolean;
    }
  | { readonly ok: false; readonly reason: EndpointUrlRefusal };

/**
 * The characters allowed in a URL. The WHATWG parser would silently drop or replace the others; quotes are excluded
 * because they could end an attribute in a careless page.
 */
const WELL_FORMED = /^[a-z][a-z0-9+.-]*:\/\/[^\s\p{Cc}\p{Cf}\\"'`<>]+$/iu;
/** The parser would take the first path segment for the host. */
const HOSTLESS = /^[^:]+:\/{3}/;
const CREDENTIALS = /^[^:]+:\/\/[^/?#]*@/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
const LOCAL_TLDS: ReadonlySet<string> = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'lan',
  'corp',
  'home',
]);
/** RFC 2606, 6761, 7686, 9476, and arpa, under which there are no services (home.arpa included). */
const RESERVED_TLDS: ReadonlySet<string> = new Set(['test', 'example', 'invalid', 'onion', 'alt', 'arpa']);

/**
 * Whether the platform may call a URL that a stranger gave it (clause: Signed POST contract, target).
 * Passing is half the guard: unless `isAddress`, every address of the name must pass `checkAddress` too.
 */
export function checkEndpointUrl(url: string, policy: EndpointUrlPolicy): EndpointUrlCheck {
  if (url.length > ENDPOINT_URL_MAX_LENGTH) return refuse('too_long');
  if (!WELL_FORMED.test(url) || !URL.canParse(url)) return refuse('not_a_url');
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return refuse('not_https');
  if (HOSTLESS.test(url)) return refuse('not_a_url');
  // Checked in the text: the parsed URL does not show an empty user name or fragment.
  if (CREDENTIALS.test(url)) return refuse('has_credentials');
  if (url.includes('#')) return refuse('has_fragment');
  if (policy.allowLoopbackHttp && LOOPBACK_HOSTS.has(hostname))
    return { ok: true, hostname, isAddress: true };
  if (protocol !== 'https:') return refuse('not_https');
  if (port !== '' && Number(port) < 1024) return refuse('port_not_allowed');
  return checkHost(hostname);
}

/** Whether a resolved address, in any notation, is one of the public internet. */
export function checkAddress(
  address: string,
): { readonly ok: true } | { readonly ok: false; readonly reason: AddressRefusal } {
  if (!ipaddr.isValid(address)) return { ok: false, reason: 'not_an_address' };
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return { ok: false, reason: RANGE_REFUSALS[range] ?? 'reserved_address' };
  // ipaddr.js calls every unknown range unicast; only 2000::/3 is assigned for public use.
  if (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_UNICAST))
    return { ok: false, reason: 'reserved_address' };
  return { ok: true };
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** By ipaddr.js's name of the range; every other special range is `reserved_address`. */
const RANGE_REFUSALS: Readonly<Record<string, AddressRefusal>> = {
  unspecified: 'unspecified_address',
  loopback: 'loopback_address',
  private: 'private_address',
  uniqueLocal: 'private_address',
  deprecatedSiteLocal: 'private_address',
  linkLocal: 'link_local_address',
  carrierGradeNat: 'shared_address',
  multicast: 'multicast_address',
  broadcast: 'broadcast_address',
  ipv4Mapped: 'translated_address',
  rfc6145: 'translated_address',
  rfc6052: 'translated_address',
  '6to4': 'translated_address',
  teredo: 'translated_address',
};

/** `hostname` as the WHATWG parser gives it: lower case, Unicode folded, IPv4 in dotted decimal. */
function checkHost(hostname: string): EndpointUrlCheck {
  const isIpv6 = hostname.startsWith('[');
  if (isIpv6 || ipaddr.IPv4.isValidFourPartDecimal(hostname)) {
    const check = checkAddress(isIpv6 ? hostname.slice(1, -1) : hostname);
    return check.ok ? { ok: true, hostname, isAddress: true } : check;
  }
  // A trailing dot does not change the name and must not hide it from the lists.
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const labels = name.split('.');
  const topLevel = labels.at(-1) ?? '';
  if (name.length > 253 || !labels.every((label) => LABEL.test(label))) return refuse('malformed_host');
  if (LOCAL_TLDS.has(topLevel) || name === 'home.arpa' || name.endsWith('.home.arpa'))
    return refuse('local_name');
  if (labels.length === 1) return refuse('single_label_host');
  if (RESERVED_TLDS.has(topLevel)) return refuse('reserved_name');
  return { ok: true, hostname: name, isAddress: false };
}

function refuse(reason: EndpointUrlRefusal): EndpointUrlCheck {
  return { ok: false, reason };
}
