import { eq, inArray, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { isCheck, isConflict } from '../db/constraint.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { ledgerAccounts, ledgerPostings } from '../db/tables/ledger.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { type Posting, refundCreditAccount, walletPart } from './ledger.rules.ts';
import { balanceOf, refundCreditOf, walletRoom } from './wallet-room.store.ts';

const insertPosting = write((p: Params<Posting & { id: string; createdAt: IsoTime }>) =>
  build
    .insert(ledgerPostings)
    .values({ id: p.id, kind: p.kind, reference: p.reference, legs: p.legs, createdAt: p.createdAt }),
);

const balance = query((p: Params<{ account: string }>) =>
  build
    .select({ balanceCents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.account, p.account)),
);

const balances = query((p: Params<{ accounts: string }>) =>
  build
    .select({ account: ledgerAccounts.account, balanceCents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .where(inArray(ledgerAccounts.account, sql`(SELECT value FROM json_each(${p.accounts}))`)),
);

interface WalletPosting {
  readonly id: string;
  readonly kind: Posting['kind'];
  readonly reference: string;
  readonly createdAt: IsoTime;
  readonly agentId: string;
  readonly wallet: string;
  readonly credit: string;
  readonly amountCents: number;
  /** The other legs. */
  readonly legs: string;
}

/**
 * Refund credit is spent before the balance, and takes of a refund what does not fit under the cap. What a bank takes
 * comes out of the balance first.
 */
const insertWalletPosting = write((p: Params<WalletPosting>) => {
  const amount = asInteger(p.amountCents);
  const purchaseId = sql`substr(${p.reference}, 1, 36)`;
  const ofCredit = sql`CASE
    WHEN ${amount} > 0 THEN ${amount} - MIN(${amount}, MAX(0, ${walletRoom(p.agentId, purchaseId)}))
    WHEN ${p.kind} = 'chargeback' THEN -MIN(MAX(0, -${amount} - ${balanceOf(p.agentId)}), ${refundCreditOf(p.agentId)})
    ELSE -MIN(-${amount}, ${refundCreditOf(p.agentId)}) END`;
  const legs = sql`SELECT value ->> 'account' AS account, value ->> 'amountCents' AS cents FROM json_each(${p.legs})
    UNION ALL SELECT ${p.wallet}, ${amount} - of_credit UNION ALL SELECT ${p.credit}, of_credit`;
  return insertFrom(
    ledgerPostings,
    {
      id: p.id,
      kind: p.kind,
      reference: p.reference,
      legs: sql`(SELECT json_group_array(json_object('account', account, 'amountCents', cents))
        FROM (${legs}) WHERE cents <> 0)`,
      createdAt: p.createdAt,
    },
    (select) => select.from(sql`(SELECT ${ofCredit} AS of_credit)`),
  );
});

/**
 * Moves money, in the transaction that it is committed with. That fails as a whole if the posting was
 * made before or a balance does not allow it: see `isAlreadyPosted`, `isOverdrawn`, `isOverCap`.
 */
export function post(posting: Posting, id: string, at: IsoTime): Statement {
  const { kind, reference, legs } = posting;
  const part = walletPart(posting);
  if (part !== null) {
    const { agentId, leg } = part;
    return insertWalletPosting({
      id,
      kind,
      reference,
      createdAt: at,
      agentId,
      wallet: leg.account,
      credit: refundCreditAccount(agentId),
      amountCents: leg.amountCents,
      legs: JSON.stringify(legs.filter((one) => one !== leg)),
    });
  }
  return insertPosting({ id, kind, reference, legs, createdAt: at });
}

/** 0 for an account without entries. */
export async function readBalance(db: Database, account: string): Promise<number> {
  return (await balance.first(db, { account }))?.balanceCents ?? 0;
}

export async function readBalances(
  db: Database,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await balances.all(db, { accounts: JSON.stringify(accounts) });
  const byAccount = new Map(rows.map((row) => [row.account, row.balanceCents]));
  return new Map(accounts.map((account) => [account, byAccount.get(account) ?? 0]));
}

/** The wallet does not hold what the posting would take. */
export const isOverdrawn = (error: unknown): boolean => isCheck(error, 'wallet_not_overdrawn');

/** The wallet would hold more than it may. */
export const isOverCap = (error: unknown): boolean => isCheck(error, 'wallet_within_cap');

/** This step of this purchase or top-up was posted before. */
export const isAlreadyPosted = (error: unknown): boolean =>
  isConflict(error, ledgerPostings.kind, ledgerPostings.reference);
