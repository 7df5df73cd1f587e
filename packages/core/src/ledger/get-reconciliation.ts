import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { isProcessorRead } from './outside/book-processor-entries.ts';
import { compareObjects } from './outside/compare-objects.ts';
import { objectsView, viewObjects } from './outside/objects-view.ts';
import { balancesOf, listUpcoming, upcomingView } from './outside/upcoming.ts';
import { isMonth, monthOf } from './period.rules.ts';
import { periodErrors } from './periods.errors.ts';
import { monthField } from './periods.schema.ts';
import { reconcile, wholeCents } from './reconcile.ts';
import { recordsEnded, requireHeld } from './require-held.ts';

/** For the operator: whether the ledger agrees with everything it should agree with. */
export const getReconciliation = defineOperation({
  name: 'getReconciliation',
  summary: 'The ledger against wallets, purchases, top-ups, the card processor and the chain.',
  description:
    'For the operator. `findings` is empty when everything agrees; each finding names what differs. The card ' +
    'processor and the account on chain are compared if they are configured and can be asked.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({
    processorKeptCents: z
      .int()
      .min(0)
      .max(1_000_000_000_000)
      .default(0)
      .describe(
        'What the card processor kept and the ledger does not know. Its entries are read: usually nothing.',
      ),
    month: monthField
      .optional()
      .describe('Whose objects are compared, as `2026-11`. The current one by default.'),
    after: z.string().max(300).default('').describe('`nextAfter` of the page before.'),
    usdcAddedCents: z
      .int()
      .min(-1_000_000_000_000)
      .max(1_000_000_000_000)
      .default(0)
      .describe('What the operator put into the account on chain so far, less what it took out of it.'),
  }),
  output: z.object({
    balances: z
      .array(
        z.object({
          account: z.string(),
          amount: z.int(),
          currency: z.enum(['gwei', 'usd']),
          rail: z.enum(['card', 'usdc']).nullable(),
        }),
      )
      .describe(
        'Each kind of account: cents of US dollars, gas in gwei. Positive: owed or earned; negative: held or lost.',
      ),
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
    objects: objectsView.describe(
      'What moved outside in the month, at the card processor and on chain, object by object, against the postings that name it.',
    ),
    payoutsCents: z.int(),
    processorCompared: z
      .boolean()
      .describe('False: it is not configured, or something that moved its balance was not read yet.'),
    processorFeesCents: z.int().describe('What the card processor kept so far, for disputes too.'),
    reservedCents: z.int(),
    upcoming: z
      .array(upcomingView)
      .describe('What falls due over each rail in the next 7 days, against the balance that is there.'),
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
  errors: [periodErrors.period_not_found, recordsEnded],
  http: { method: 'get', path: '/admin/reconciliation', status: 200 },
  rate: 'read',
  async handle({ ports, now }, { processorKeptCents, month = monthOf(isoTime(now)), after, usdcAddedCents }) {
    if (!isMonth(month)) throw new Refusal(periodErrors.period_not_found);
    await requireHeld(ports.market, month);
    const [balance, units, gas] = await Promise.all([
      ports.cards?.getBalance(),
      ports.chain?.balance(),
      ports.chain?.gas(),
    ]);
    // Asked after the balance: what moved it since is not taken for read.
    const isRead = balance !== undefined && (await isProcessorRead(ports));
    const processor = isRead ? { ...balance, keptCents: processorKeptCents } : null;
    const chain = typeof units === 'bigint' ? { balanceUnits: units, addedCents: usdcAddedCents } : null;
    const [{ balances, findings, ...totals }, objects, upcoming] = await Promise.all([
      reconcile(ports.market, { processor, chain }, now),
      compareObjects(ports, now, { month, after }),
      listUpcoming(ports, balancesOf(balance, units), gas?.transfersLeft ?? null, now),
    ]);
    return {
      ...totals,
      balances: [...balances].sort((a, b) => (a.account < b.account ? -1 : 1)),
      findings: findings.map(({ actualCents, check, expectedCents, subject }) => ({
        actualCents,
        check,
        expectedCents,
        subject,
      })),
      generatedAt: isoTime(now),
      objects: viewObjects(objects),
      processorCompared: processor !== null,
      upcoming,
      usdcBalanceCents: chain && wholeCents(chain.balanceUnits),
    };
  },
});
