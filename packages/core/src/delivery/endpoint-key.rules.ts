import { calledHost } from '../kernel/called-host.ts';
import type { CallbackType } from './delivery.rules.ts';

export interface EndpointKey {
  /** The same for URLs that differ only in what many servers overlook: query, slashes, case, escapes, parameters. */
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
  const { protocol, port, pathname } = new URL(callbackUrl);
  const { name, isLoopback } = calledHost(callbackUrl);
  const origin = port === '' ? name : `${name}:${port}`;
  return {
    url: `${protocol}//${origin}${lenientPath(pathname)}`,
    host: isLoopback ? origin : name,
  };
}

/**
 * A path as a lenient server reads it: escapes decoded, no empty segments, nothing after `;`, `?` or `#`. Which of
 * these a server overlooks is not known; whoever owns two such URLs names itself in its answer.
 */
function lenientPath(pathname: string): string {
  const segments = decodeEscapes(pathname)
    .split(/[\\/]/)
    .map((segment) => segment.split(/[;?#]/)[0] ?? '');
  return segments
    .filter((segment) => segment !== '')
    .map((segment) => `/${segment}`)
    .join('')
    .toLowerCase();
}

function decodeEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) =>
    String.fromCharCode(Number.parseInt(escaped.slice(1), 16)),
  );
}
