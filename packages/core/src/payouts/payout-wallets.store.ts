import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { and, eq, exists, getTableColumns, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { connectPayouts } from '../agents/index.ts';
import { build, excluded } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { listings } from '../db/tables/listings.ts';
import { payoutChallenges, payoutChanges, payoutWallets } from '../db/tables/payouts.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import { DAY_MS, type EpochMs, epochOf, type IsoTime, isoTime } from '../kernel/time.ts';

/** Where a seller is paid in USDC. */
export type PayoutWallet = Readonly<typeof payoutWallets.$inferSelect>;
export type PayoutChallenge = Readonly<typeof payoutChallenges.$inferSelect>;

const byNonce = query((p: Params<{ nonce: string; sellerId: string }>) =>
  build
    .select(getTableColumns(payoutChallenges))
    .from(payoutChallenges)
    .where(and(eq(payoutChallenges.nonce, p.nonce), eq(payoutChallenges.sellerId, p.sellerId))),
);

const ofListing = query((p: Params<{ listingId: string; address: Hex; since: IsoTime }>) => {
  const { sellerId } = listings;
  const isBound = build
    .select({ address: payoutWallets.address })
    .from(payoutWallets)
    .where(and(eq(payoutWallets.sellerId, sellerId), eq(payoutWallets.address, p.address)));
  const wasBound = build
    .select({ address: payoutChallenges.address })
    .from(payoutChallenges)
    .where(
      and(
        eq(payoutChallenges.sellerId, sellerId),
        eq(payoutChallenges.address, p.address),
        isNotNull(payoutChallenges.usedAt),
      ),
    );
  // Its challenge may be long deleted: it counts for as long as it was paid, and then as others do.
  const wasPaid = build
    .select({ id: payoutChanges.id })
    .from(payoutChanges)
    .where(
      and(
        eq(payoutChanges.sellerId, sellerId),
        eq(payoutChanges.previous, p.address),
        gt(payoutChanges.effectiveAt, p.since),
      ),
    );
  return build
    .select({ id: listings.id })
    .from(listings)
    .where(and(eq(listings.id, p.listingId), or(exists(isBound), exists(wasBound), exists(wasPaid))));
});

/**
 * Whether an address is that of the wallet of a listing's seller, from when it is asked for, or was in the last
 * `PAST_WALLET_MS`.
 */
export async function isWalletOfSeller(
  market: Database,
  listingId: string,
  { address, now }: { readonly address: Hex; readonly now: EpochMs },
): Promise<boolean> {
  const since = isoTime(now - PAST_WALLET_MS);
  return (await ofListing.first(market, { listingId, address, since })) !== null;
}

export function insertChallenge(challenge: Omit<PayoutChallenge, 'usedAt'>): Statement {
  return insertInto(payoutChallenges, challenge);
}

/** Null for another seller's challenge. */
export function findChallenge(
  market: Database,
  nonce: string,
  sellerId: string,
): Promise<PayoutChallenge | null> {
  return byNonce.first(market, { nonce, sellerId });
}

const CHALLENGE_OPEN = 'payout_challenge';

const spendChallenge = write((p: Params<{ nonce: string; sellerId: string; at: IsoTime }>) =>
  build
    .update(payoutChallenges)
    .set({ usedAt: p.at })
    .where(
      and(
        eq(payoutChallenges.nonce, p.nonce),
        eq(payoutChallenges.sellerId, p.sellerId),
        isNull(payoutChallenges.usedAt),
        gt(payoutChallenges.expiresAt, p.at),
      ),
    ),
);

const saveWallet = write((p: Params<Omit<PayoutWallet, 'bearsGas'>>) =>
  build
    .insert(payoutWallets)
    .values({ sellerId: p.sellerId, chainId: p.chainId, address: p.address, boundAt: p.boundAt })
    .onConflictDoUpdate({
      target: payoutWallets.sellerId,
      set: excluded(payoutWallets, 'chainId', 'address', 'boundAt'),
    }),
);

/** Saves the wallet of a signed challenge and connects payouts. Aborts if the challenge is spent or expired. */
export function saveSignedWallet(
  { nonce, sellerId, chainId, address }: PayoutChallenge,
  at: IsoTime,
): Statement[] {
  return [
    spendChallenge({ nonce, sellerId, at }),
    guardOneChange(CHALLENGE_OPEN),
    saveWallet({ sellerId, chainId, address, boundAt: at }),
    connectPayouts(sellerId),
  ];
}

/** Another request spent the challenge, or it expired in between. */
export const isChallengeSpent = (error: unknown): boolean => isGuard(error, CHALLENGE_OPEN);

const DELETED_AT_ONCE = 500;

/** For so long a wallet that was bound counts as its seller's. */
const PAST_WALLET_MS = 90 * DAY_MS;

const deleteEnded = write((p: Params<{ before: IsoTime; usedBefore: IsoTime }>) =>
  build.delete(payoutChallenges).where(
    inArray(
      payoutChallenges.nonce,
      build
        .select({ nonce: payoutChallenges.nonce })
        .from(payoutChallenges)
        .where(
          and(
            lt(payoutChallenges.expiresAt, p.before),
            or(isNull(payoutChallenges.usedAt), lt(payoutChallenges.usedAt, p.usedBefore)),
          ),
        )
        .limit(DELETED_AT_ONCE),
    ),
  ),
);

export function deleteEndedChallenges(before: IsoTime): Statement {
  return deleteEnded({ before, usedBefore: isoTime(epochOf(before) - PAST_WALLET_MS) });
}

const PAYOUT_WALLET = 'payout_wallet';

export const hasNoPayoutWallet = (error: unknown): boolean => isGuard(error, PAYOUT_WALLET);

const setGas = write((p: Params<{ sellerId: string; bearsGas: boolean }>) =>
  build
    .update(payoutWallets)
    .set({ bearsGas: sql`CAST(${p.bearsGas} AS INTEGER)` })
    .where(eq(payoutWallets.sellerId, p.sellerId)),
);

/** Aborts where no wallet is bound. */
export function setBearsGas(sellerId: string, bearsGas: boolean): Statement[] {
  return [setGas({ sellerId, bearsGas }), guardOneChange(PAYOUT_WALLET)];
}

const gasOf = query((p: Params<{ sellerId: string }>) =>
  build
    .select({ bearsGas: payoutWallets.bearsGas })
    .from(payoutWallets)
    .where(eq(payoutWallets.sellerId, p.sellerId)),
);

/** Whether the seller would rather be paid less than wait. */
export async function bearsGas(db: Database, sellerId: string): Promise<boolean> {
  return (await gasOf.first(db, { sellerId }))?.bearsGas ?? false;
}
