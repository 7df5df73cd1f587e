import { and, eq, isNull, lte, or, type SQLWrapper, sql } from 'drizzle-orm';
import { recordPartyMark } from '../agents/index.ts';
import { asInteger, build } from '../db/build.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { chargebacks } from '../db/tables/sales.ts';
import { walletSetups, wallets } from '../db/tables/wallet.ts';
import type { SavedCard } from '../kernel/ports/card-processor.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import {
  openTopUpsOf,
  readBalances,
  refundCreditAccount,
  refundCreditOf,
  reservationsOf,
  walletAccount,
  walletRoom,
} from '../ledger/index.ts';

export interface WalletCard extends SavedCard {
  readonly customerId: string;
}

export interface Wallet {
  readonly agentId: string;
  readonly balanceCents: number;
  /** What came back and did not fit under the cap: spent first. */
  readonly refundCreditCents: number;
  readonly fundedCents: number;
  readonly customerId: string | null;
  readonly card: WalletCard | null;
  readonly autoRecharge: {
    readonly enabled: boolean;
    readonly thresholdCents: number;
    /** Of a calendar month in UTC. */
    readonly monthCents: number;
    readonly amountCents: number;
    readonly state: 'idle' | 'due' | 'charging';
    readonly at: IsoTime | null;
    readonly failures: number;
    readonly problem: string | null;
  };
}

const walletOf = query((p: Params<{ agentId: string }>) =>
  build
    .select({
      fundedCents: wallets.fundedCents,
      customerId: wallets.customerId,
      paymentMethodId: wallets.cardPaymentMethodId,
      // A saved card has them all.
      cardDetails: {
        brand: sql<string>`${wallets.cardBrand}`,
        last4: sql<string>`${wallets.cardLast4}`,
        expMonth: sql<number>`${wallets.cardExpMonth}`,
        expYear: sql<number>`${wallets.cardExpYear}`,
        fingerprint: wallets.cardFingerprint,
      },
      autoRecharge: {
        enabled: wallets.autoRechargeEnabled,
        thresholdCents: wallets.thresholdCents,
        amountCents: wallets.rechargeAmountCents,
        monthCents: wallets.rechargeMonthCents,
        state: wallets.rechargeState,
        at: wallets.rechargeAt,
        failures: wallets.rechargeFailures,
        problem: wallets.rechargeProblem,
      },
    })
    .from(wallets)
    .where(eq(wallets.agentId, p.agentId)),
);

/** A wallet without a row: the defaults of the columns. */
const UNUSED = {
  fundedCents: 0,
  customerId: null,
  card: null,
  autoRecharge: {
    enabled: false,
    thresholdCents: 500,
    monthCents: 50_000,
    amountCents: 2000,
    state: 'idle',
    at: null,
    failures: 0,
    problem: null,
  },
} as const;

/** One round trip. A wallet that was never used has no row, and is empty. */
export async function readWallet(db: Database, agentId: string): Promise<Wallet> {
  const [account, credit] = [walletAccount(agentId), refundCreditAccount(agentId)];
  const [row, balances] = await Promise.all([
    walletOf.first(db, { agentId }),
    readBalances(db, [account, credit]),
  ]);
  const money = { balanceCents: balances.get(account) ?? 0, refundCreditCents: balances.get(credit) ?? 0 };
  if (row === null) return { agentId, ...money, ...UNUSED };
  const { fundedCents, customerId, paymentMethodId, cardDetails, autoRecharge } = row;
  const isSaved = customerId !== null && paymentMethodId !== null;
  const card = isSaved ? { customerId, paymentMethodId, ...cardDetails } : null;
  return { agentId, ...money, fundedCents, customerId, card, autoRecharge };
}

/** What counts against a wallet's cap, beside its balance. */
export interface Commitments {
  readonly openTopUpCents: number;
  /** Of purchases that are not delivered yet. */
  readonly reservedCents: number;
  readonly chargedBackCents: number;
}

const coveredCents = { cents: sql`COALESCE(SUM(${chargebacks.coveredCents}), 0)` };
const chargedBackTo = (agentId: SQLWrapper) =>
  build.select(coveredCents).from(chargebacks).where(eq(chargebacks.agentId, agentId));
const commitments = query((p: Params<{ agentId: string }>) =>
  build
    .select({
      openTopUpCents: sql<number>`${openTopUpsOf(p.agentId)}`,
      reservedCents: sql<number>`${reservationsOf(p.agentId)}`,
      chargedBackCents: sql<number>`${chargedBackTo(p.agentId)}`,
    })
    .from(sql`(SELECT 1) AS one`),
);

export async function readCommitments(db: Database, agentId: string): Promise<Commitments> {
  return (await commitments.first(db, { agentId })) as Commitments;
}

/** True where the wallet's cap leaves room to prepay so much more (ADR 0010, Headroom). */
export function hasHeadroom(p: Params<{ agentId: string; amountCents: number }>) {
  return sql`${walletRoom(p.agentId)} - ${refundCreditOf(p.agentId)} >= ${asInteger(p.amountCents)}`;
}

const insertWallet = write((p: Params<{ agentId: string }>) =>
  build.insert(wallets).values({ agentId: p.agentId }).onConflictDoNothing({ target: wallets.agentId }),
);

/** Makes a wallet's row; one that exists stays as it is. */
export function ensureWallet(agentId: string): Statement {
  return insertWallet({ agentId });
}

const deleteRow = write((p: Params<{ agentId: string }>) =>
  build.delete(wallets).where(eq(wallets.agentId, p.agentId)),
);

/** Its money is no part of the row: the ledger has that, and keeps it. */
export function deleteWallet(agentId: string): Statement {
  return deleteRow({ agentId });
}

const emailOf = query((p: Params<{ agentId: string }>) =>
  build.select({ email: agents.email }).from(agents).where(eq(agents.id, p.agentId)),
);

/** Private: for the card processor's own messages to whoever pays. */
export async function readEmail(db: Database, agentId: string): Promise<string | null> {
  return (await emailOf.first(db, { agentId }))?.email ?? null;
}

const keepCustomer = write((p: Params<{ agentId: string; customerId: string }>) =>
  build
    .update(wallets)
    .set({ customerId: sql`COALESCE(${wallets.customerId}, ${p.customerId})` })
    .where(eq(wallets.agentId, p.agentId)),
);

/** A page where a person will save a card, and the customer it is saved for. */
export function recordSetup(setup: typeof walletSetups.$inferInsert): Statement[] {
  const { agentId, customerId } = setup;
  return [ensureWallet(agentId), keepCustomer({ agentId, customerId }), insertInto(walletSetups, setup)];
}

const saveCardOf = query((p: Params<SavedCard & { sessionId: string; agentId: string }>) => {
  const setup = build
    .select({ createdAt: walletSetups.createdAt, customerId: walletSetups.customerId })
    .from(walletSetups)
    .where(and(eq(walletSetups.sessionId, p.sessionId), eq(walletSetups.agentId, p.agentId)))
    .as('setup');
  return build
    .update(wallets)
    .set({
      cardPaymentMethodId: p.paymentMethodId,
      cardBrand: p.brand,
      cardLast4: p.last4,
      cardExpMonth: p.expMonth,
      cardExpYear: p.expYear,
      cardFingerprint: p.fingerprint,
      cardSetupAt: sql`${setup.createdAt}`,
      customerId: sql`${setup.customerId}`,
    })
    .from(setup)
    .where(
      and(
        eq(wallets.agentId, p.agentId),
        or(isNull(wallets.cardSetupAt), lte(wallets.cardSetupAt, setup.createdAt)),
      ),
    )
    .returning({ agentId: wallets.agentId });
});

/** Saves the card of a completed setup. Reports come twice and out of order: the setup begun last wins. */
export function saveCard(sessionId: string, agentId: string, card: SavedCard): Statement[] {
  const { fingerprint } = card;
  return [
    saveCardOf.statement({ sessionId, agentId, ...card }),
    ...(fingerprint === null ? [] : [recordPartyMark(agentId, 'card', fingerprint)]),
  ];
}
