import { z } from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { reconcile, wholeCents } from './reconcile.ts';

/** For the operator: whether the ledger agrees with everything it should agree with. */
export const getReconciliation = defineOperation({
  name: 'getReconciliation',
  summary: 'The ledger against wallets, purchases, top-ups, the card processor and the chain.',
  description:
    'For the operator. `findings` is empty when everything agrees; each finding names what differs. The card ' +
    'processor and the account on chain are compared if they are configured and can be asked.',
  area: 'Purchasing',
  auth: 'operator',
  input: z.object({
    processorKeptCents: z
      .int()
      .min(0)
      .max(1_000_000_000_000)
      .default(0)
      .describe('What the card processor kept for its services so far, from its statements.'),
    usdcAddedCents: z
      .int()
      .min(-1_000_000_000_000)
      .max(1_000_000_000_000)
      .default(0)
      .describe('What the operator put into the account on chain so far, less what it took out of it.'),
  }),
  output: z.object({
    cardClearingCents: z.int(),
    chargebacksCents: z
      .int()
      .describe(
        "The platform's loss by cardholders' disputes, those included that are open and may still be won.",
      ),
    escrowCents: z.int(),
    feesCents: z.int(),
    findings: z.array(
      z.object({ actualCents: z.int(), check: z.string(), expectedCents: z.int(), subject: z.string() }),
    ),
    generatedAt: z.iso.datetime(),
    payoutsCents: z.int(),
    processorCompared: z.boolean(),
    reservedCents: z.int(),
    usdcBalanceCents: z
      .int()
      .nullable()
      .describe('What lies in the account on chain, in whole cents. Null: not compared.'),
    usdcClearingCents: z.int(),
    usdcOverpaidCents: z
      .int()
      .describe(
        'What payers sent above the price of what they bought: it lies on chain, and no account has it.',
      ),
    usdcPayoutsCents: z
      .int()
      .describe('Paid to sellers in USDC; `payoutsCents` went through the card processor.'),
    walletLiabilityCents: z.int(),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/reconciliation', status: 200 },
  rate: 'read',
  async handle({ ports, now }, { processorKeptCents, usdcAddedCents }) {
    const [balance, units] = await Promise.all([ports.cards?.getBalance(), ports.chain?.balance()]);
    const processor = balance ? { ...balance, keptCents: processorKeptCents } : null;
    const chain = typeof units === 'bigint' ? { balanceUnits: units, addedCents: usdcAddedCents } : null;
    const { findings, ...totals } = await reconcile(ports.market, { processor, chain }, now);
    return {
      ...totals,
      findings: findings.map(({ actualCents, check, expectedCents, subject }) => ({
        actualCents,
        check,
        expectedCents,
        subject,
      })),
      generatedAt: isoTime(now),
      processorCompared: processor !== null,
      usdcBalanceCents: chain && wholeCents(chain.balanceUnits),
    };
  },
});
