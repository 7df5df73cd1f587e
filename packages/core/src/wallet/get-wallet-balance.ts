import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { WALLET_CAP_CENTS } from '../ledger/index.ts';
import { readOpenTopUps } from './top-ups.store.ts';
import { readTransactions } from './transactions.ts';
import { autoRechargeView, transaction, viewAutoRecharge } from './wallet.schema.ts';
import { readCommitments, readWallet } from './wallet.store.ts';

const RECENT = 5;

/** Clause: GET /wallet/balance. */
export const getWalletBalance = defineOperation({
  name: 'getWalletBalance',
  summary: 'Your prepaid balance and how it is filled.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'read',
  input: z.object({}),
  output: z.object({
    autoRecharge: autoRechargeView,
    availableToFundCents: z
      .int()
      .describe('The most that a top-up may add; unpaid pages that do not fit beside it are closed.'),
    balanceCents: z.int().describe('What is prepaid. You can spend it, and `refundCreditCents`.'),
    capCents: z.int().describe('The most that may be prepaid.'),
    chargedBackCents: z
      .int()
      .describe('What banks of cards took back of paid top-ups, those included that may still be won.'),
    currency: z.literal('usd'),
    fundedCents: z.int().describe('All top-ups that were ever paid.'),
    openTopUps: z.array(
      z.object({
        amountCents: z.int(),
        checkoutUrl: z
          .string()
          .nullable()
          .describe('Where it can be paid; null while a saved card is charged.'),
        expiresAt: z.iso.datetime(),
        source: z.enum(['checkout', 'auto_recharge']),
        topUpId: z.uuid(),
      }),
    ),
    recentActivity: z.array(transaction).describe('The last five; the rest is at GET /wallet/transactions.'),
    refundCreditCents: z
      .int()
      .describe('What refunds brought back beyond the cap: it is spent first, and never expires.'),
    reservedCents: z.int().describe('Of purchases that are not delivered yet; counts against the cap.'),
    savedCard: z
      .object({ brand: z.string(), expMonth: z.int(), expYear: z.int(), last4: z.string() })
      .nullable(),
    spentCents: z.int().describe('What purchases took and did not give back, reservations included.'),
  }),
  errors: [],
  http: { method: 'get', path: '/wallet/balance', status: 200 },
  mcp: {
    tool: 'get_wallet_balance',
    title: 'Show your wallet',
    description:
      'Your prepaid balance in cents, the saved card, auto-recharge, open top-ups with their checkout URLs, and ' +
      'the last movements. Free. Next: fund_wallet with at most `availableToFundCents` if it does not cover a ' +
      'purchase.',
    hints: { readOnly: true, destructive: false, idempotent: true },
  },
  rate: 'read',
  async handle({ ports, caller: { agentId } }) {
    const { market } = ports;
    const [wallet, commitments, openTopUps, recentActivity] = await Promise.all([
      readWallet(market, agentId),
      readCommitments(market, agentId),
      readOpenTopUps(market, agentId),
      readTransactions(market, agentId, { limit: RECENT }),
    ]);
    const { balanceCents, refundCreditCents, fundedCents, card } = wallet;
    const { reservedCents, chargedBackCents } = commitments;
    // Unpaid pages give way to a top-up that does not fit beside them; a charge of the saved card does not.
    const chargingCents = openTopUps
      .filter(({ checkoutUrl }) => checkoutUrl === null)
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
    const countedCents = balanceCents + refundCreditCents + chargingCents + reservedCents;
    return {
      autoRecharge: viewAutoRecharge(wallet),
      availableToFundCents: Math.max(0, WALLET_CAP_CENTS - countedCents),
      balanceCents,
      capCents: WALLET_CAP_CENTS,
      chargedBackCents,
      currency: 'usd' as const,
      fundedCents,
      openTopUps,
      recentActivity,
      refundCreditCents,
      reservedCents,
      savedCard: card && {
        brand: card.brand,
        expMonth: card.expMonth,
        expYear: card.expYear,
        last4: card.last4,
      },
      spentCents: fundedCents - balanceCents - refundCreditCents - chargedBackCents,
    };
  },
});
