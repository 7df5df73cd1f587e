import { DAY_MS, type EpochMs, HOUR_MS, type IsoTime, isoTime } from '../kernel/time.ts';

const CLAIM_LINK_MS = 7 * DAY_MS;
/** A link about to end is of no use to a person who is asleep: it is renewed instead of given again. */
const LEAST_REMAINING_MS = DAY_MS;

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{32})$/;

interface ClaimToken {
  readonly sellerId: string;
  readonly mac: string;
}

/** What the token's keyed hash is over: with another expiry the same seller's token is another one. */
export function claimMessage(sellerId: string, expiresAt: IsoTime): string {
  return `${sellerId}\n${expiresAt}`;
}

export function claimTokenFrom(sellerId: string, keyedHashHex: string): string {
  return `${sellerId}.${macFrom(keyedHashHex)}`;
}

export function macFrom(keyedHashHex: string): string {
  return keyedHashHex.slice(0, 32);
}

/** Null for what cannot be a token at all. A parsed one proves nothing yet. */
export function parseClaimToken(token: string): ClaimToken | null {
  const [, sellerId, mac] = TOKEN.exec(token) ?? [];
  return sellerId === undefined || mac === undefined ? null : { sellerId, mac };
}

/** Whether a link can be given to a person again. */
export function isWorthGiving(expiresAt: IsoTime | null, now: EpochMs): expiresAt is IsoTime {
  return expiresAt !== null && expiresAt > isoTime(now + LEAST_REMAINING_MS);
}

/** A new link's end, on a full hour: requests that renew at the same time give out one link, not rivals. */
export function newClaimExpiry(now: EpochMs): IsoTime {
  return isoTime(Math.ceil((now + CLAIM_LINK_MS) / HOUR_MS) * HOUR_MS);
}

/** Compares texts of one known length in a time that tells nothing of where they differ. */
export function isSameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
