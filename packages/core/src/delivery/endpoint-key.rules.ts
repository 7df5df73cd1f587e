import type { CallbackType } from './delivery.rules.ts';

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
const UNRESERVED = /[A-Za-z0-9._~-]/;

/**
 * A key for an endpoint that is the same however its URL is written: an endpoint can belong to one seller only. Null
 * where it need not: a polled URL is never called, and a URL of the local machine, in development, is everybody's.
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

/** Escapes of characters that need none change nothing (RFC 3986, 6.2.2): they are removed. */
function decodeUnreserved(url: string): string {
  return url.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return UNRESERVED.test(character) ? character : escaped.toUpperCase();
  });
}
