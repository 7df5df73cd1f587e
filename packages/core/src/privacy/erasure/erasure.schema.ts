import { z } from 'zod';
import type { IsoTime } from '../../kernel/time.ts';
import { BLOCKER_KINDS, type Blocker } from './blockers.store.ts';
import type { Erasure } from './erasures.store.ts';

/** How long an erasure can be cancelled before it is carried out. */
export const ERASURE_WAIT_DAYS = 7;

export const erasureView = z.object({
  blockers: z
    .array(z.object({ kind: z.enum(BLOCKER_KINDS), reference: z.string() }))
    .describe('What has to end first; 20 of a kind at most. A balance is one too, unless it is given up.'),
  dueAt: z.iso.datetime().nullable().describe('When it is carried out, unless it is cancelled before.'),
  requestedAt: z.iso.datetime().nullable(),
  state: z.enum(['none', 'due']),
});

export function viewErasure(erasure: Erasure | null, blockers: readonly Blocker[]) {
  const isDue = erasure !== null && erasure.cancelledAt === null;
  const at = (time: IsoTime) => (isDue ? time : null);
  return {
    blockers: blockers.map(({ kind, reference }) => ({ kind, reference })),
    dueAt: erasure && at(erasure.dueAt),
    requestedAt: erasure && at(erasure.requestedAt),
    state: isDue ? ('due' as const) : ('none' as const),
  };
}
