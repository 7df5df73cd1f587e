import { DAY_MS, type EpochMs, epochOf, HOUR_MS, type IsoTime, isoTime } from '../kernel/time.ts';

const CLAIM_LINK_MS = 7 * DAY_MS;
/** A link with less time left is renewed instead of reused: the person who needs it may be asleep. */
const LEAST_REMAINING_MS = DAY_MS;

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{32})$/;

interface ClaimToken {
  readonly sellerId: string;
  readonly mac: string;
}

/** The text under the token's keyed hash. It has the expiry, so a renewed link has another token. */
export function claimMessage(sellerId: string, expiresAt: IsoTime): string {
  return `${sellerId}\n${expiresAt}`;
}

export function claimTokenFrom({ sellerId, mac }: ClaimToken): string {
  return `${sellerId}.${mac}`;
}

/** Null for a text that is no token. A parsed token proves nothing yet. */
export function parseClaimToken(token: string): ClaimToken | null {
  const [, sellerId, mac] = TOKEN.exec(token) ?? [];
  return sellerId === undefined || mac === undefined ? null : { sellerId, mac };
}

/** Whether a link has enough time left to be shown again. */
export function isReusable(expiresAt: IsoTime | null, now: EpochMs): expiresAt is IsoTime {
  return expiresAt !== null && expiresAt > isoTime(now + LEAST_REMAINING_MS);
}

/**
 * On a full hour, so that two requests that renew at once make the same link instead of two rivals. A link that was
 * revoked ended when it was: within the same hour the next one needs a later end, or it would be the revoked one.
 */
export function newClaimExpiry(now: EpochMs, lastExpiresAt: IsoTime | null = null): IsoTime {
  const endedAt = lastExpiresAt === null ? now + 1 : epochOf(lastExpiresAt);
  return isoTime(endedAt > now ? expiryOf(now) : Math.max(expiryOf(now), expiryOf(endedAt) + HOUR_MS));
}

const expiryOf = (madeAt: EpochMs) => Math.ceil((madeAt + CLAIM_LINK_MS) / HOUR_MS) * HOUR_MS;
