import { sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { sellers } from '../db/tables/agents.ts';
import { payoutChallenges, payoutWallets } from '../db/tables/payouts.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

/** Where a seller is paid in USDC. */
export type PayoutWallet = Readonly<typeof payoutWallets.$inferSelect>;
export type PayoutChallenge = Readonly<typeof payoutChallenges.$inferSelect>;

const ofSeller = prepared<{
  sellerId: string;
}>(sql`SELECT seller_id AS sellerId, chain_id AS chainId, address,
  bound_at AS boundAt FROM ${payoutWallets} WHERE seller_id = ${sql.placeholder('sellerId')}`);

const byNonce = prepared<{ nonce: string; sellerId: string }>(sql`SELECT nonce, seller_id AS sellerId,
  chain_id AS chainId, address, message, expires_at AS expiresAt, used_at AS usedAt FROM ${payoutChallenges}
  WHERE nonce = ${sql.placeholder('nonce')} AND seller_id = ${sql.placeholder('sellerId')}`);

export function findPayoutWallet(market: Database, sellerId: string): Promise<PayoutWallet | null> {
  return market.first<PayoutWallet>(ofSeller({ sellerId }));
}

/** The wallets of those of these sellers that have one, by seller. */
export async function findPayoutWallets(
  market: Database,
  sellerIds: readonly string[],
): Promise<Map<string, PayoutWallet>> {
  if (sellerIds.length === 0) return new Map();
  const rows = await market.all<PayoutWallet>(
    statement(sql`SELECT seller_id AS sellerId, chain_id AS chainId, address, bound_at AS boundAt
      FROM ${payoutWallets} WHERE seller_id IN (SELECT value FROM json_each(${JSON.stringify(sellerIds)}))`),
  );
  return new Map(rows.map((row) => [row.sellerId, row]));
}

export function insertChallenge(challenge: Omit<PayoutChallenge, 'usedAt'>): Statement {
  return insertInto(payoutChallenges, challenge);
}

/** Of this seller; another's is as good as none. */
export function findChallenge(
  market: Database,
  nonce: string,
  sellerId: string,
): Promise<PayoutChallenge | null> {
  return market.first<PayoutChallenge>(byNonce({ nonce, sellerId }));
}

/** Binds the wallet of a challenge that was met: once, and in time. Payouts are connected then. */
export function bindWallet({ nonce, sellerId, chainId, address }: PayoutChallenge, at: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${payoutChallenges} SET used_at = ${at}
      WHERE nonce = ${nonce} AND seller_id = ${sellerId} AND used_at IS NULL AND expires_at > ${at}`),
    guardOneChange('payout_challenge'),
    insertInto(
      payoutWallets,
      { sellerId, chainId, address, boundAt: at },
      sql`ON CONFLICT (seller_id) DO UPDATE SET chain_id = excluded.chain_id, address = excluded.address,
        bound_at = excluded.bound_at`,
    ),
    statement(sql`UPDATE ${sellers} SET payouts = 'connected' WHERE agent_id = ${sellerId}`),
  ];
}

/** Another request was faster, or time ran out in between. */
export function isChallengeSpent(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'guard payout_challenge';
}

const FORGET_AT_ONCE = sql.raw('500');

export function deleteEndedChallenges(before: IsoTime): Statement {
  return statement(sql`DELETE FROM ${payoutChallenges} WHERE nonce IN
    (SELECT nonce FROM ${payoutChallenges} WHERE expires_at < ${before} LIMIT ${FORGET_AT_ONCE})`);
}
