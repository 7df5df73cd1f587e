import type { Database, Statement } from '../kernel/ports/database.ts';
import type { KeyedHash } from '../kernel/ports/keyed-hash.ts';
import type { EpochMs, IsoTime } from '../kernel/time.ts';
import { isoTime } from '../kernel/time.ts';
import { queueClaimMail } from '../mail/index.ts';
import {
  claimMessage,
  claimTokenFrom,
  isReusable,
  newClaimExpiry,
  parseClaimToken,
} from './claim-link.rules.ts';
import { claimMail } from './claim-mail.rules.ts';
import { readClaimExpiry, setClaimExpiry } from './sellers.store.ts';

export interface ClaimLink {
  /** A page for the person behind a seller. Anyone with the link may do what the page offers. */
  readonly claimUrl: string;
  readonly expiresAt: IsoTime;
  /** Commit these after the seller's row and before the link is shown. Empty for a link that is reused. */
  readonly statements: readonly Statement[];
}

/**
 * The seller's claim link. There is one at a time, valid for 7 days; it is reused while it has more than a day
 * left, and a new link replaces it. No secret is stored: the token is a keyed hash of the seller and the expiry.
 * Where mail is sent, a new link also goes to the seller's e-mail address.
 */
export async function claimLinkFor(
  ports: { readonly keyedHash: KeyedHash },
  place: { readonly baseUrl: string; readonly siteUrl: string | null; readonly sendsMail?: boolean },
  seller: { readonly sellerId: string; readonly claimExpiresAt: IsoTime | null },
  now: EpochMs,
): Promise<ClaimLink> {
  const { sellerId, claimExpiresAt } = seller;
  const isKept = isReusable(claimExpiresAt, now);
  const expiresAt = isKept ? claimExpiresAt : newClaimExpiry(now, claimExpiresAt);
  const mac = await ports.keyedHash.token('claim_link', claimMessage(sellerId, expiresAt));
  const site = place.siteUrl ?? new URL(place.baseUrl).origin;
  const claimUrl = `${site}/claim/${claimTokenFrom({ sellerId, mac })}`;
  if (isKept) return { claimUrl, expiresAt, statements: [] };
  const mail = claimMail(claimUrl, expiresAt);
  return {
    claimUrl,
    expiresAt,
    statements: [
      setClaimExpiry(sellerId, expiresAt),
      ...(place.sendsMail ? [queueClaimMail(sellerId, mail, isoTime(now))] : []),
    ],
  };
}

/** The seller of a valid link; null for an expired, forged or unknown one alike. */
export async function resolveClaimToken(
  ports: { readonly keyedHash: KeyedHash; readonly market: Database },
  token: string,
  now: EpochMs,
): Promise<{ sellerId: string; expiresAt: IsoTime } | null> {
  const claimed = parseClaimToken(token);
  if (claimed === null) return null;
  const { sellerId, mac } = claimed;
  const expiresAt = await readClaimExpiry(ports.market, sellerId);
  if (expiresAt === null || expiresAt <= isoTime(now)) return null;
  const isOurs = await ports.keyedHash.isToken('claim_link', claimMessage(sellerId, expiresAt), mac);
  return isOurs ? { sellerId, expiresAt } : null;
}
