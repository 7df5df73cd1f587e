import * as z from 'zod';
import type { IsoTime } from '../../kernel/time.ts';
import type { BalanceReturn } from '../../wallet/index.ts';
import { BLOCKER_KINDS } from './blockers.store.ts';
import type { Erasure } from './erasures.store.ts';
import type { ErasureTerms } from './read-erasure-terms.ts';

/** How long an erasure can be cancelled before it is carried out. */
export const ERASURE_WAIT_DAYS = 7;

export const blockerView = z
  .object({ kind: z.enum(BLOCKER_KINDS), reference: z.string() })
  .meta({ id: 'ErasureBlocker' });

export const balanceView = z
  .object({
    leftCents: z
      .int()
      .describe(
        'What no card takes back, as its payment is older than 180 days, say. Spend it, or give it up.',
      ),
    toCards: z
      .array(z.object({ amountCents: z.int(), paidAt: z.iso.datetime(), topUpId: z.uuid() }))
      .describe('What goes back to the cards of your top-ups before the account is erased.'),
  })
  .describe('What becomes of your wallet, as it is now.');

export const erasureView = z
  .object({
    balance: balanceView,
    blockers: z
      .array(blockerView)
      .describe(
        'What has to end first; 20 of a kind at most. What no card takes back is one too, unless it is given up.',
      ),
    dueAt: z.iso.datetime().nullable().describe('When it is carried out, unless it is cancelled before.'),
    requestedAt: z.iso.datetime().nullable(),
    state: z.enum(['none', 'due']),
  })
  .meta({ id: 'Erasure' });

export const viewBalance = ({ leftCents, toCards }: BalanceReturn) => ({
  leftCents,
  toCards: toCards.map(({ amountCents, paidAt, topUpId }) => ({ amountCents, paidAt, topUpId })),
});

export function viewErasure(erasure: Erasure | null, { balance, blockers }: ErasureTerms) {
  const isDue = erasure !== null && erasure.cancelledAt === null;
  const at = (time: IsoTime) => (isDue ? time : null);
  return {
    balance: viewBalance(balance),
    blockers: blockers.map(({ kind, reference }) => ({ kind, reference })),
    dueAt: erasure && at(erasure.dueAt),
    requestedAt: erasure && at(erasure.requestedAt),
    state: isDue ? ('due' as const) : ('none' as const),
  };
}
