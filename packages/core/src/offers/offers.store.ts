import { and, desc, eq, getTableColumns, gt, isNull, lte, ne, or, type Placeholder, sql } from 'drizzle-orm';
import { lineageOf } from '../budgets/index.ts';
import { asBoolean, build } from '../db/build.ts';
import { isConflict, isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, toStatement, write } from '../db/query.ts';
import { agentKeys } from '../db/tables/agent-keys.ts';
import { approvals, spends } from '../db/tables/budgets.ts';
import { listings } from '../db/tables/listings.ts';
import { offers } from '../db/tables/sales.ts';
import { NEWEST, type Position } from '../kernel/page-cursor.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { SpendPolicy } from '../kernel/spend-policy.ts';
import type { IsoTime } from '../kernel/time.ts';

/** What a buyer would give for an exclusive listing. */
export type Offer = typeof offers.$inferSelect;

const byId = query((p: Params<{ id: string }>) =>
  build.select(getTableColumns(offers)).from(offers).where(eq(offers.id, p.id)),
);

const live = query((p: Params<{ sellerId: string; now: IsoTime; limit: number }>) =>
  build
    .select(getTableColumns(offers))
    .from(offers)
    .where(and(eq(offers.sellerId, p.sellerId), eq(offers.status, 'open'), gt(offers.expiresAt, p.now)))
    .orderBy(desc(offers.createdAt), desc(offers.id))
    .limit(p.limit),
);

export function findOffer(market: Database, id: string): Promise<Offer | null> {
  return byId.first(market, { id });
}

const maker = query((p: Params<{ id: string; now: IsoTime }>) => {
  // The key that made it, and those that took its place.
  const heirs = sql`(WITH RECURSIVE heirs (id) AS (SELECT ${offers.keyId}
      UNION SELECT next.id FROM ${agentKeys} AS next JOIN heirs ON next.replaces_key_id = heirs.id)
    SELECT id FROM heirs)`;
  return build
    .select({
      policies: lineageOf(agentKeys.policyId),
      isApproved: asBoolean(
        sql`EXISTS (SELECT 1 FROM ${approvals}
        WHERE ${approvals.agentId} = ${offers.buyerId} AND ${approvals.usedFor} = ${offers.id})`,
      ),
      isCounted: asBoolean(sql`EXISTS (SELECT 1 FROM ${spends} WHERE ${spends.id} = ${offers.id})`),
    })
    .from(offers)
    .innerJoin(agentKeys, sql`${agentKeys.id} IN ${heirs}`)
    .where(
      and(
        eq(offers.id, p.id),
        isNull(agentKeys.revokedAt),
        or(isNull(agentKeys.expiresAt), gt(agentKeys.expiresAt, p.now)),
      ),
    )
    .limit(1);
});

export interface OfferMaker {
  /** Of the key, as they are now: its own first. */
  readonly policies: readonly SpendPolicy[];
  /** A person approved the offer; an approval is kept for longer than an offer stands. */
  readonly isApproved: boolean;
  /** The offer was counted in their windows when it was made. */
  readonly isCounted: boolean;
}

/** The key that made an offer, or took the place of that one; null: it has ended. */
export async function findOfferMaker(
  market: Database,
  { id, keyId }: Pick<Offer, 'id' | 'keyId'>,
  now: IsoTime,
): Promise<OfferMaker | null> {
  // Offers of before do not say.
  return keyId === null
    ? { policies: [], isApproved: true, isCounted: true }
    : maker.first(market, { id, now });
}

/** A seller's open offers, newest first: for its dashboard. */
export function listLiveOffers(
  market: Database,
  sellerId: string,
  now: IsoTime,
  limit = 50,
): Promise<Offer[]> {
  return live.all(market, { sellerId, now, limit });
}

const ofBuyer = query((p: Params<Position & { buyerId: string; limit: number }>) =>
  build
    .select({ offer: getTableColumns(offers), listingTitle: listings.title })
    .from(offers)
    .innerJoin(listings, eq(listings.id, offers.listingId))
    .where(
      and(
        eq(offers.buyerId, p.buyerId),
        sql`${offers.createdAt} <= ${p.createdAt}
          AND (${offers.createdAt}, ${offers.id}) < (${p.createdAt}, ${p.id})`,
      ),
    )
    .orderBy(desc(offers.createdAt), desc(offers.id))
    .limit(p.limit),
);

/** What a buyer offered, newest first. */
export async function listOffersOf(
  market: Database,
  buyerId: string,
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<(Offer & { readonly listingTitle: string })[]> {
  const found = await ofBuyer.all(market, { ...(after ?? NEWEST), buyerId, limit });
  return found.map(({ offer, listingTitle }) => ({ ...offer, listingTitle }));
}

interface Wanted {
  readonly listingId: string;
  readonly buyerId: string;
}

const isOpenOffer = (p: { readonly [Name in keyof Wanted]: Placeholder<Name, string> }) =>
  and(eq(offers.listingId, p.listingId), eq(offers.buyerId, p.buyerId), eq(offers.status, 'open'));

const closeExpired = write((p: Params<Wanted & { now: IsoTime }>) =>
  build
    .update(offers)
    .set({ status: 'declined', decidedAt: sql`${offers.expiresAt}` })
    .where(and(isOpenOffer(p), lte(offers.expiresAt, p.now))),
);

const withdrawOutdated = write((p: Params<Wanted & { fingerprint: string | null; now: IsoTime }>) =>
  build
    .update(offers)
    .set({ status: 'declined', withdrawn: true, decidedAt: p.now })
    .where(and(isOpenOffer(p), ne(offers.listingFingerprint, p.fingerprint))),
);

/**
 * One open offer of a buyer on a listing; an expired one makes room, and one that is for the listing as it was before:
 * that one can no longer be accepted.
 */
export function insertOffer(offer: Offer): Statement[] {
  const { listingId, buyerId, createdAt: now, listingFingerprint: fingerprint } = offer;
  return [
    closeExpired({ listingId, buyerId, now }),
    withdrawOutdated({ listingId, buyerId, fingerprint, now }),
    insertInto(offers, offer),
  ];
}

export function isOfferOpenAlready(error: unknown): boolean {
  return isConflict(error, offers.listingId, offers.buyerId);
}

export const WITHDRAWN = { status: 'declined', withdrawn: true } as const;
export const DECLINED = { status: 'declined' } as const;
export type ClosingDecision = typeof DECLINED | typeof WITHDRAWN;

/** Decides an open offer, once. */
export function decideOffer(
  id: string,
  decision: { status: 'accepted'; purchaseId: string } | ClosingDecision,
  at: IsoTime,
): Statement[] {
  const isLive = and(eq(offers.id, id), eq(offers.status, 'open'), gt(offers.expiresAt, at));
  return [
    toStatement(
      build
        .update(offers)
        .set({ ...decision, decidedAt: at })
        .where(isLive),
    ),
    guardOneChange('offer_open'),
  ];
}

export function isDecidedOffer(error: unknown): boolean {
  return isGuard(error, 'offer_open');
}
