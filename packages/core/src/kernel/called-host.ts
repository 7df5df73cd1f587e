const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

export interface CalledHost {
  /** The same for every port and spelling, so that neither makes one host many. */
  readonly name: string;
  /** Guards let it through in development only. */
  readonly isLoopback: boolean;
}

/** The host of a URL that the marketplace calls. */
export function calledHost(url: string): CalledHost {
  const { hostname } = new URL(url);
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return { name, isLoopback: LOOPBACK_HOSTS.has(name) };
}
