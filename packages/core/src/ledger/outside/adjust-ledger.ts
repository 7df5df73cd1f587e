import * as z from 'zod';
import { defineErrors, Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { lineOf } from '../../kernel/text-schema.ts';
import { isoTime } from '../../kernel/time.ts';
import { PLATFORM_ACCOUNTS } from '../account.rules.ts';
import { transferOf } from '../ledger.rules.ts';
import { post } from '../ledger.store.ts';
import { type Adjustment, findAdjustment, insertAdjustment, isAdjusted } from './adjustments.store.ts';

const errors = defineErrors({
  adjustment_differs: {
    kind: 'conflict',
    title: 'This reference was posted between these accounts before, with another amount or reason.',
    remedy: 'Nothing, if that was right. A correction is another adjustment, with a reference of its own.',
  },
  adjustment_moves_nothing: {
    kind: 'invalid',
    title: 'An adjustment needs two accounts, and an amount other than 0.',
    remedy: 'Give another `counterAccount` or `amountCents`.',
  },
});

const account = z.enum(PLATFORM_ACCOUNTS);
const MOST_CENTS = 100_000_000_000;

/** For the operator: what can be read nowhere. */
export const adjustLedger = defineOperation({
  name: 'adjustLedger',
  summary: "Post a movement of the platform's own money that cannot be read anywhere.",
  description:
    'For the operator: what was paid into an account on chain, a bank movement, an explanation of what the reconciliation does ' +
    'not match. `account` is debited and `counterAccount` credited; with a negative amount the other way round. A reference ' +
    'is posted once between two accounts: the same again changes nothing.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({
    kind: z.enum(['adjustment', 'bank_payout', 'funding']).default('adjustment'),
    account,
    counterAccount: account
      .optional()
      .describe('`bank` for funding and bank payouts, else `adjustments`, where it is not given.'),
    amountCents: z
      .int()
      .min(-MOST_CENTS)
      .max(MOST_CENTS)
      .describe('Cents of US dollars. Positive: `account` holds so much more.'),
    reason: lineOf(1000),
    reference: lineOf(255).describe(
      'The `id` of an item of the reconciliation that it explains, or a statement or an invoice.',
    ),
  }),
  output: z.object({
    account: z.string(),
    amountCents: z.int(),
    counterAccount: z.string(),
    createdAt: z.iso.datetime(),
    id: z.uuid(),
    kind: z.string(),
    operator: z.string().describe('The name of whoever posted it.'),
    reason: z.string(),
    reference: z.string(),
  }),
  errors: Object.values(errors),
  http: { method: 'post', path: '/admin/ledger/adjustments', status: 200 },
  rate: 'write',
  replay: 'stored',
  audit: ({ reference, reason }) => ({ subject: { type: 'ledger_adjustment', id: reference }, reason }),
  async handle({ ports, now, commit, operator: { name: operator } }, { kind, counterAccount, ...input }) {
    const { market, ids, log } = ports;
    const other = counterAccount ?? (kind === 'adjustment' ? 'adjustments' : 'bank');
    if (other === input.account || input.amountCents === 0)
      throw new Refusal(errors.adjustment_moves_nothing);
    const at = isoTime(now);
    const adjustment: Adjustment = {
      ...{ ...input, kind, counterAccount: other, operator },
      id: ids.uuid(),
      createdAt: at,
    };
    const answer = viewAdjustment(adjustment);
    const { id, amountCents, reference } = adjustment;
    const posting = transferOf(kind, id, { into: input.account, from: other, amountCents });
    try {
      await commit([insertAdjustment(adjustment), post(posting, ids.uuid(), at)], answer);
    } catch (error) {
      const known = isAdjusted(error) ? await findAdjustment(market, adjustment) : null;
      if (known === null) throw error;
      const isSame =
        known.amountCents === amountCents && known.kind === kind && known.reason === input.reason;
      if (!isSame) throw new Refusal(errors.adjustment_differs);
      const earlier = viewAdjustment(known);
      await commit([], earlier);
      return earlier;
    }
    log.info('ledger_adjusted', { id, kind, amountCents, reference, operator });
    return answer;
  },
});

function viewAdjustment(adjustment: Adjustment) {
  const {
    account: debited,
    amountCents,
    counterAccount,
    createdAt,
    id,
    kind,
    operator,
    reason,
    reference,
  } = adjustment;
  return { account: debited, amountCents, counterAccount, createdAt, id, kind, operator, reason, reference };
}
