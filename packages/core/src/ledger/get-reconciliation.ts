import { z } from 'zod';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { reconcile } from './reconcile.ts';

/** For the operator: whether the ledger agrees with everything it should agree with. */
export const getReconciliation = defineOperation({
  name: 'getReconciliation',
  summary: 'The ledger against wallets, purchases, top-ups and the card processor.',
  description:
    'For the operator. `findings` is empty when everything agrees; each finding names what differs. The card ' +
    'processor is compared if one is configured.',
  area: 'Purchasing',
  auth: 'none',
  input: z.object({
    processorKeptCents: z
      .int()
      .min(0)
      .max(1_000_000_000_000)
      .default(0)
      .describe('What the card processor kept for its services so far, from its statements.'),
  }),
  output: z.object({
    cardClearingCents: z.int(),
    escrowCents: z.int(),
    feesCents: z.int(),
    findings: z.array(
      z.object({ actualCents: z.int(), check: z.string(), expectedCents: z.int(), subject: z.string() }),
    ),
    generatedAt: z.iso.datetime(),
    payoutsCents: z.int(),
    processorCompared: z.boolean(),
    reservedCents: z.int(),
    usdcClearingCents: z.int(),
    usdcPayoutsCents: z
      .int()
      .describe('Paid to sellers in USDC; `payoutsCents` went through the card processor.'),
    walletLiabilityCents: z.int(),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/reconciliation', status: 200 },
  rate: 'read',
  async handle({ ports, now, isOperator }, { processorKeptCents }) {
    if (!isOperator) throw new Refusal(commonErrors.admin_required);
    const balance = ports.cards && (await ports.cards.getBalance());
    const figures = balance && { ...balance, keptCents: processorKeptCents };
    const { findings, ...totals } = await reconcile(ports.market, figures, now);
    return {
      ...totals,
      findings: findings.map(({ actualCents, check, expectedCents, subject }) => ({
        actualCents,
        check,
        expectedCents,
        subject,
      })),
      generatedAt: isoTime(now),
      processorCompared: figures !== null,
    };
  },
});
