import type { CallbackType } from './delivery.rules.ts';

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
const UNRESERVED = /[A-Za-z0-9._~-]/;

export interface EndpointKey {
  /** The same for URLs that differ in their query, trailing slashes or case only: most servers answer them alike. */
  readonly url: string;
  /** On the machine of a developer, each port is a host of its own. */
  readonly host: string;
}

/** How an endpoint is told from those of other sellers. Null for a polled URL, which is never called. */
export function endpointKey({
  callbackUrl,
  callbackType,
}: {
  readonly callbackUrl: string;
  readonly callbackType: CallbackType;
}): EndpointKey | null {
  if (callbackType === 'polling') return null;
  const { protocol, hostname, port, pathname } = new URL(callbackUrl);
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const origin = port === '' ? name : `${name}:${port}`;
  const path = withoutTrailingSlashes(decodeUnreserved(pathname)).toLowerCase();
  return { url: `${protocol}//${origin}${path}`, host: LOOPBACK_HOSTS.has(name) ? origin : name };
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Escapes of characters that need none change nothing (RFC 3986, 6.2.2): they are removed. */
function decodeUnreserved(url: string): string {
  return url.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return UNRESERVED.test(character) ? character : escaped;
  });
}
