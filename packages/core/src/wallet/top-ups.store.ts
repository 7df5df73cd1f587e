import { and, eq, getTableColumns, inArray, lte, ne, sql } from 'drizzle-orm';
import { asInteger, build, named } from '../db/build.ts';
import { isConflict, isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertWhere } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { wallets, walletTopUps } from '../db/tables/wallet.ts';
import type { CheckoutSession } from '../kernel/ports/card-processor.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { post, topUp as topUpPosting } from '../ledger/index.ts';
import { giveTopUpSubsidyBack } from '../subsidies/index.ts';
import { PAYMENT_RETURNED } from './wallet.rules.ts';
import { hasHeadroom } from './wallet.store.ts';

type TopUpRow = Readonly<typeof walletTopUps.$inferSelect>;

/** `charge` is of a saved card, exactly as the processor is asked; null where a person pays at a checkout. */
export type NewTopUp = Pick<
  TopUpRow,
  'id' | 'agentId' | 'amountCents' | 'source' | 'charge' | 'createdAt' | 'expiresAt'
>;

export type TopUpStatus = TopUpRow['status'];

export type TopUp = NewTopUp &
  Pick<TopUpRow, 'status' | 'sessionId' | 'paymentId' | 'returnOwedSince' | 'returnFailures'>;

const {
  checkoutUrl: _checkoutUrl,
  failure: _failure,
  lookAt: _lookAt,
  ...topUpColumns
} = getTableColumns(walletTopUps);

const byId = query((p: Params<{ id: string }>) =>
  build.select(topUpColumns).from(walletTopUps).where(eq(walletTopUps.id, p.id)),
);

export function findTopUp(db: Database, id: string): Promise<TopUp | null> {
  return byId.first(db, { id });
}

const paymentsOf = query((p: Params<{ ids: string }>) =>
  build
    .select({ paymentId: walletTopUps.paymentId })
    .from(walletTopUps)
    .where(inArray(walletTopUps.id, sql`(SELECT value FROM json_each(${p.ids}))`)),
);

/** What paid these top-ups at the card processor. */
export async function listTopUpPayments(db: Database, ids: readonly string[]): Promise<string[]> {
  const rows = ids.length === 0 ? [] : await paymentsOf.all(db, { ids: JSON.stringify(ids) });
  return rows.flatMap(({ paymentId }) => paymentId ?? []);
}

const WALLET_HEADROOM = 'wallet_headroom';
const TOP_UP_OPEN = 'top_up_open';
const TOP_UP_UNRETURNED = 'top_up_unreturned';
const TOP_UP_UNPAID = 'top_up_unpaid';

/** The cap does not leave room for the top-up and all that may still come back to the wallet. */
export const hasNoHeadroom = (error: unknown): boolean => isGuard(error, WALLET_HEADROOM);

/** There is one with this id already. */
export const isKnownTopUp = (error: unknown): boolean => isConflict(error, walletTopUps.id);

/** It was decided that its payment goes back, and that stays so. */
export const isReturning = (error: unknown): boolean => isGuard(error, TOP_UP_UNRETURNED);

/** It was credited in the meantime. */
export const isCredited = (error: unknown): boolean => isGuard(error, TOP_UP_UNPAID);

/** The top-up was ended by somebody else in the meantime. */
export const isNoLongerOpen = (error: unknown): boolean => isGuard(error, TOP_UP_OPEN);

const insertWithHeadroom = write((p: Params<NewTopUp & { checkAt: IsoTime }>) =>
  insertWhere(
    walletTopUps,
    {
      id: p.id,
      agentId: p.agentId,
      amountCents: p.amountCents,
      status: 'open',
      source: p.source,
      charge: p.charge,
      createdAt: p.createdAt,
      expiresAt: p.expiresAt,
      lookAt: p.checkAt,
    },
    hasHeadroom(p),
  ),
);

/** Opens a top-up, which takes its room under the cap from then on; aborts if there is none. */
export function insertTopUp(topUp: NewTopUp, checkAt: IsoTime): Statement[] {
  return [insertWithHeadroom({ ...topUp, checkAt }), guardOneChange(WALLET_HEADROOM)];
}

const attach = write(
  (p: Params<{ id: string; sessionId: string; checkoutUrl: string | null; checkAt: IsoTime }>) =>
    build
      .update(walletTopUps)
      .set({ sessionId: p.sessionId, checkoutUrl: p.checkoutUrl, lookAt: p.checkAt })
      .where(and(eq(walletTopUps.id, p.id), eq(walletTopUps.status, 'open'))),
);

/** The page where it can be paid. */
export function attachCheckout(id: string, session: CheckoutSession, checkAt: IsoTime): Statement[] {
  const { sessionId, url: checkoutUrl } = session;
  return [attach({ id, sessionId, checkoutUrl, checkAt }), guardOneChange(TOP_UP_OPEN)];
}

const markPaid = write((p: Params<{ id: string; paymentId: string }>) =>
  build
    .update(walletTopUps)
    .set({ status: 'paid', paymentId: p.paymentId, failure: null })
    .where(and(eq(walletTopUps.id, p.id), sql`${walletTopUps.failure} IS NOT ${PAYMENT_RETURNED}`)),
);

const addFunded = write((p: Params<{ agentId: string; amountCents: number }>) =>
  build
    .update(wallets)
    .set({ fundedCents: sql`${wallets.fundedCents} + ${asInteger(p.amountCents)}` })
    .where(eq(wallets.agentId, p.agentId)),
);

/**
 * Credits a paid top-up. The posting happens once for each top-up, so a second time aborts as already
 * posted. Money that came late, after the top-up had been given up, is credited all the same, unless it was
 * decided that it goes back.
 */
export function creditTopUp(topUp: TopUp, paymentId: string, postingId: string, at: IsoTime): Statement[] {
  const { id, agentId, amountCents } = topUp;
  return [
    post(topUpPosting({ topUpId: id, agentId, amountCents }), postingId, at),
    markPaid({ id, paymentId }),
    guardOneChange(TOP_UP_UNRETURNED),
    addFunded({ agentId, amountCents }),
  ];
}

const endOpen = write((p: Params<{ id: string; status: TopUpStatus; failure: string | null }>) =>
  build
    .update(walletTopUps)
    .set({ status: p.status, failure: p.failure })
    .where(and(eq(walletTopUps.id, p.id), eq(walletTopUps.status, 'open'))),
);

/** Ends an open top-up without money; aborts if it has ended already. */
export function closeTopUp(id: string, end: { failure: string } | 'expired'): Statement[] {
  const ended =
    end === 'expired'
      ? ({ status: 'expired', failure: null } as const)
      : ({ status: 'failed', failure: end.failure } as const);
  return [endOpen({ id, ...ended }), guardOneChange(TOP_UP_OPEN), giveTopUpSubsidyBack(id)];
}

const failAsReturned = write(
  (p: Params<{ id: string; paymentId: string | null; owedSince: IsoTime | null }>) =>
    build
      .update(walletTopUps)
      .set({
        status: 'failed',
        failure: PAYMENT_RETURNED,
        paymentId: sql`COALESCE(${p.paymentId}, ${walletTopUps.paymentId})`,
        returnOwedSince: p.owedSince,
      })
      .where(and(eq(walletTopUps.id, p.id), ne(walletTopUps.status, 'paid'))),
);

/** A payment that is not credited goes back, or went back, to where it came from; aborts if it was credited. */
export function markReturned(
  id: string,
  owed: { readonly paymentId: string; readonly since: IsoTime } | null,
): Statement[] {
  return [
    failAsReturned({ id, paymentId: owed?.paymentId ?? null, owedSince: owed?.since ?? null }),
    guardOneChange(TOP_UP_UNPAID),
  ];
}

const endReturn = write((p: Params<{ id: string; failures: number }>) =>
  build
    .update(walletTopUps)
    .set({ returnOwedSince: null })
    .where(and(eq(walletTopUps.id, p.id), eq(walletTopUps.returnFailures, p.failures))),
);

/** The payment is on its way back. */
export function recordReturn({ id, returnFailures }: TopUp): Statement {
  return endReturn({ id, failures: returnFailures });
}

const failReturn = write((p: Params<{ id: string; failures: number; nextFailures: number; at: IsoTime }>) =>
  build
    .update(walletTopUps)
    .set({
      returnFailures: p.nextFailures,
      returnOwedSince: sql`COALESCE(${walletTopUps.returnOwedSince}, ${p.at})`,
    })
    .where(and(eq(walletTopUps.id, p.id), eq(walletTopUps.returnFailures, p.failures))),
);

/** The refund failed, and the money is at the platform: the next refund is another one. */
export function recordReturnFailed({ id, returnFailures }: TopUp, at: IsoTime): Statement {
  return failReturn({ id, failures: returnFailures, nextFailures: returnFailures + 1, at });
}

const openOf = query((p: Params<{ agentId: string }>) =>
  build
    .select({
      amountCents: walletTopUps.amountCents,
      checkoutUrl: walletTopUps.checkoutUrl,
      expiresAt: walletTopUps.expiresAt,
      source: walletTopUps.source,
      topUpId: walletTopUps.id,
    })
    .from(walletTopUps)
    .where(and(eq(walletTopUps.agentId, p.agentId), eq(walletTopUps.status, 'open')))
    .orderBy(walletTopUps.createdAt, walletTopUps.id),
);

/** A top-up as its owner may still pay it. */
export interface OpenTopUp {
  readonly amountCents: number;
  readonly checkoutUrl: string | null;
  readonly expiresAt: IsoTime;
  readonly source: NewTopUp['source'];
  readonly topUpId: string;
}

export function readOpenTopUps(db: Database, agentId: string): Promise<OpenTopUp[]> {
  return openOf.all(db, { agentId });
}

const reschedule = write((p: Params<{ id: string; at: IsoTime }>) =>
  build.update(walletTopUps).set({ lookAt: p.at }).where(eq(walletTopUps.id, p.id)),
);

/** When the jobs ask about it next, while it is open. */
export function rescheduleTopUp(id: string, at: IsoTime): Statement {
  return reschedule({ id, at });
}

const claimDue = query((p: Params<{ now: IsoTime; nextCheckAt: IsoTime; limit: number }>) =>
  build
    .update(walletTopUps)
    .set({ lookAt: p.nextCheckAt })
    .where(
      inArray(
        walletTopUps.id,
        build
          .select({ id: walletTopUps.id })
          .from(walletTopUps)
          .where(and(eq(walletTopUps.status, 'open'), lte(walletTopUps.lookAt, p.now)))
          .orderBy(walletTopUps.lookAt)
          .limit(p.limit),
      ),
    )
    .returning(named(topUpColumns)),
);

/**
 * Open top-ups that are due to be checked. Each is rescheduled before it is given out, so that two sweeps do not
 * settle the same one, and one that cannot be settled does not keep others waiting.
 */
export async function claimDueTopUps(
  db: Database,
  due: { readonly now: IsoTime; readonly nextCheckAt: IsoTime; readonly limit: number },
): Promise<TopUp[]> {
  const [rows] = await db.commit([claimDue.statement(due)]);
  return claimDue.rows(rows);
}
