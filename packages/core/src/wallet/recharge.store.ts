import { and, eq, gt, gte, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { isConflict, isGuard } from '../db/constraint.ts';
import { abortWhere, guardOneChange } from '../db/guard.ts';
import { type Params, query, write } from '../db/query.ts';
import { wallets, walletTopUps } from '../db/tables/wallet.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { balanceOf } from '../ledger/index.ts';
import type { RechargeSetback } from './wallet.rules.ts';
import { ensureWallet, type Wallet } from './wallet.store.ts';

const CARD_SAVED = 'card_saved';
const RECHARGE_DUE = 'recharge_due';
const RECHARGE_WITHIN_MONTH = 'recharge_within_month';

/** The cap of this month leaves no room for another recharge. */
export const isMonthSpent = (error: unknown): boolean => isGuard(error, RECHARGE_WITHIN_MONTH);

/** There is no card to recharge with. */
export const hasNoCard = (error: unknown): boolean => isGuard(error, CARD_SAVED);

/** Nothing is due on these terms, or another run is charging. */
export const isNotDue = (error: unknown): boolean =>
  isGuard(error, RECHARGE_DUE) || isConflict(error, walletTopUps.agentId);

interface Figures {
  readonly thresholdCents: number;
  readonly amountCents: number;
  readonly monthCents: number;
}

/** As it is wherever the record of failures starts anew. */
const NO_FAILURE = { rechargeAt: null, rechargeFailures: 0, rechargeProblem: null } as const;

/** A charge that is under way ends as it ends; otherwise this is the state. */
const unlessCharging = (state: ReturnType<typeof sql>) => sql`CASE
  WHEN ${wallets.rechargeState} = 'charging' THEN 'charging' ELSE ${state} END`;

const enable = write((p: Params<Figures & { agentId: string }>) =>
  build
    .update(wallets)
    .set({
      autoRechargeEnabled: true,
      thresholdCents: p.thresholdCents,
      rechargeAmountCents: p.amountCents,
      rechargeMonthCents: p.monthCents,
      rechargeState: unlessCharging(
        sql`CASE WHEN ${asInteger(p.thresholdCents)} > ${balanceOf(wallets.agentId)} THEN 'due' ELSE 'idle' END`,
      ),
      ...NO_FAILURE,
    })
    .where(and(eq(wallets.agentId, p.agentId), isNotNull(wallets.cardPaymentMethodId))),
);

/** Turns auto-recharge on, with no failures. It is due at once where the balance is low. */
export function enableAutoRecharge(agentId: string, figures: Figures): Statement[] {
  return [enable({ agentId, ...figures }), guardOneChange(CARD_SAVED)];
}

const disable = write((p: Params<Figures & { agentId: string }>) =>
  build
    .update(wallets)
    .set({
      autoRechargeEnabled: false,
      thresholdCents: p.thresholdCents,
      rechargeAmountCents: p.amountCents,
      rechargeMonthCents: p.monthCents,
      rechargeState: unlessCharging(sql`'idle'`),
      ...NO_FAILURE,
    })
    .where(eq(wallets.agentId, p.agentId)),
);

/** Turns it off; a charge that is under way ends as it ends. */
export function disableAutoRecharge(agentId: string, figures: Figures): Statement[] {
  return [ensureWallet(agentId), disable({ agentId, ...figures })];
}

const begin = write(
  (p: Params<{ agentId: string; paymentMethodId: string | null; amountCents: number; now: IsoTime }>) =>
    build
      .update(wallets)
      .set({ rechargeState: 'charging' })
      .where(
        and(
          eq(wallets.agentId, p.agentId),
          eq(wallets.rechargeState, 'due'),
          eq(wallets.autoRechargeEnabled, true),
          or(isNull(wallets.rechargeAt), lte(wallets.rechargeAt, p.now)),
          eq(wallets.cardPaymentMethodId, p.paymentMethodId),
          eq(wallets.rechargeAmountCents, p.amountCents),
          gt(wallets.thresholdCents, balanceOf(wallets.agentId)),
        ),
      ),
);

const requireMonthlyRoom = write((p: Params<{ agentId: string; amountCents: number; since: string }>) => {
  const charged = build
    .select({ cents: sql`COALESCE(SUM(${walletTopUps.amountCents}), 0)` })
    .from(walletTopUps)
    .where(
      and(
        eq(walletTopUps.agentId, p.agentId),
        eq(walletTopUps.source, 'auto_recharge'),
        gte(walletTopUps.createdAt, p.since),
        inArray(walletTopUps.status, ['open', 'paid']),
      ),
    );
  const cap = build
    .select({ cents: wallets.rechargeMonthCents })
    .from(wallets)
    .where(eq(wallets.agentId, p.agentId));
  return abortWhere(RECHARGE_WITHIN_MONTH, sql`${charged} + ${asInteger(p.amountCents)} > ${cap}`);
});

/**
 * Begins a due recharge; aborts if it is not, or no longer, due on these terms, and where it would exceed the cap of the
 * month that began at `monthStart`. A recharge that failed does not count; one that is under way does.
 */
export function beginRecharge(
  { agentId, card, autoRecharge }: Wallet,
  now: IsoTime,
  monthStart: string,
): Statement[] {
  const { amountCents } = autoRecharge;
  return [
    begin({ agentId, paymentMethodId: card?.paymentMethodId ?? null, amountCents, now }),
    guardOneChange(RECHARGE_DUE),
    requireMonthlyRoom({ agentId, amountCents, since: monthStart }),
  ];
}

const stop = write((p: Params<{ agentId: string }>) =>
  build
    .update(wallets)
    .set({
      autoRechargeEnabled: false,
      rechargeState: unlessCharging(sql`'idle'`),
      rechargeAt: null,
      rechargeProblem: 'chargeback',
    })
    .where(eq(wallets.agentId, p.agentId)),
);

/** The owner of the card disputes what was charged: nothing more is charged by itself. */
export function stopRecharging(agentId: string): Statement {
  return stop({ agentId });
}

const dueIfLow = sql`CASE WHEN ${wallets.autoRechargeEnabled} = 1
  AND ${wallets.thresholdCents} > ${balanceOf(wallets.agentId)} THEN 'due' ELSE 'idle' END`;

const endWithCharge = write((p: Params<{ agentId: string }>) =>
  build
    .update(wallets)
    .set({ rechargeState: dueIfLow, ...NO_FAILURE })
    .where(eq(wallets.agentId, p.agentId)),
);

/** A charge went through. A balance that is still low has the next one due. */
export function recordRecharge(agentId: string): Statement {
  return endWithCharge({ agentId });
}

const endWithSetback = write((p: Params<RechargeSetback & { agentId: string }>) =>
  build
    .update(wallets)
    .set({
      autoRechargeEnabled: sql`${wallets.autoRechargeEnabled} AND CAST(${p.enabled} AS INTEGER)`,
      rechargeState: sql`CASE WHEN ${wallets.autoRechargeEnabled} = 1 THEN ${p.state} ELSE 'idle' END`,
      rechargeAt: p.at,
      rechargeFailures: p.failures,
      rechargeProblem: p.problem,
    })
    .where(eq(wallets.agentId, p.agentId)),
);

/** A charge did not go through. */
export function recordSetback(agentId: string, setback: RechargeSetback): Statement {
  return endWithSetback({ agentId, ...setback });
}

const postpone = write((p: Params<{ agentId: string; at: IsoTime; problem: string }>) =>
  build
    .update(wallets)
    .set({ rechargeAt: p.at, rechargeProblem: p.problem })
    .where(and(eq(wallets.agentId, p.agentId), eq(wallets.rechargeState, 'due'))),
);

/** The cap leaves no room now, which does not count as a failure. */
export function postponeRecharge(agentId: string, at: IsoTime, problem: string): Statement {
  return postpone({ agentId, at, problem });
}

const refreshDue = write((p: Params<{ agentId: string }>) =>
  build
    .update(wallets)
    .set({ rechargeState: dueIfLow })
    .where(and(eq(wallets.agentId, p.agentId), eq(wallets.rechargeState, 'due'))),
);

/** The balance rose above the threshold by other means: no recharge is due, unless it fell again by now. */
export function refreshDueRecharge(agentId: string): Statement {
  return refreshDue({ agentId });
}

const due = query((p: Params<{ now: IsoTime; limit: number }>) =>
  build
    .select({ agentId: wallets.agentId })
    .from(wallets)
    .where(
      and(eq(wallets.rechargeState, 'due'), or(isNull(wallets.rechargeAt), lte(wallets.rechargeAt, p.now))),
    )
    .orderBy(wallets.rechargeAt)
    .limit(p.limit),
);

export async function findDueRecharges(db: Database, now: IsoTime, limit: number): Promise<string[]> {
  return (await due.all(db, { now, limit })).map(({ agentId }) => agentId);
}
