import { sql } from 'drizzle-orm';
import { comparedObjects } from '../../db/tables/ledger.ts';

/** What a row of a compared object adds to one that is there already: what was seen outside, or in the ledger. */
const addedTo = (seen: Readonly<Record<string, unknown>>) => ({
  target: [comparedObjects.rail, comparedObjects.id, comparedObjects.currency],
  set: {
    ...seen,
    firstAt: sql`MIN(${comparedObjects.firstAt}, excluded.first_at)`,
    lastAt: sql`MAX(${comparedObjects.lastAt}, excluded.last_at)`,
  },
});

export const addedOutside = () =>
  addedTo({
    outsideCents: sql`${comparedObjects.outsideCents} + excluded.outside_cents`,
    isOutside: true,
  });

export const addedInLedger = () =>
  addedTo({
    ledgerCents: sql`${comparedObjects.ledgerCents} + excluded.ledger_cents`,
    isInLedger: true,
  });
