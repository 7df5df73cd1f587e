import type { CallbackType } from './delivery.rules.ts';

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
const UNRESERVED = /[A-Za-z0-9._~-]/;

/**
 * What an endpoint's URL is, however it is written: two with one key are one endpoint, which can be one seller's only.
 * Null where that is nothing to claim: a polled URL is never called, and one on the marketplace's own machine, in local
 * development, belongs to whoever runs that.
 */
export function endpointKey({
  callbackUrl,
  callbackType,
}: {
  readonly callbackUrl: string;
  readonly callbackType: CallbackType;
}): string | null {
  if (callbackType === 'polling') return null;
  const { protocol, hostname, port, pathname, search } = new URL(callbackUrl);
  if (LOOPBACK_HOSTS.has(hostname)) return null;
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return decodeUnreserved(`${protocol}//${host}${port === '' ? '' : `:${port}`}${pathname}${search}`);
}

/** A character that needs no escape is the same with one (RFC 3986, 6.2.2). */
function decodeUnreserved(url: string): string {
  return url.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return UNRESERVED.test(character) ? character : escaped.toUpperCase();
  });
}
