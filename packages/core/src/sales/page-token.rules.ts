import { DAY_MS, type EpochMs, SECOND_MS } from '../kernel/time.ts';

const PAGE_LINK_MS = 180 * DAY_MS;

const TOKEN = /^(\d{10,11})\.([0-9a-f]{32})(?:\.([0-9a-f]{32}))?$/;

interface PageToken {
  readonly expiresAt: EpochMs;
  readonly mac: string;
  /** Opens the query of a purchase without an API key; it is stored nowhere. */
  readonly queryKey: string | null;
}

/** On a full day, so that the links that are made on one day are equal. */
export function newPageExpiry(now: EpochMs): EpochMs {
  return Math.ceil((now + PAGE_LINK_MS) / DAY_MS) * DAY_MS;
}

/** The text under the token's keyed hash. It has the expiry, so nobody can prolong a link. */
export function pageMessage(purchaseId: string, expiresAt: EpochMs): string {
  return `${purchaseId}\n${expiresAt}`;
}

export function pageTokenFrom({ expiresAt, mac, queryKey }: PageToken): string {
  return [expiresAt / SECOND_MS, mac, ...(queryKey === null ? [] : [queryKey])].join('.');
}

/** Null for a text that is no token. A parsed token proves nothing yet. */
export function parsePageToken(token: string): PageToken | null {
  const [, seconds, mac, queryKey = null] = TOKEN.exec(token) ?? [];
  return mac === undefined ? null : { expiresAt: Number(seconds) * SECOND_MS, mac, queryKey };
}
