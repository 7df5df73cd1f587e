import { z } from 'zod';
import { CURSOR } from '../kernel/page-cursor.ts';
import { pageLimit } from '../kernel/page-fields.ts';
import { affiliatedRail } from './affiliated.schema.ts';
import { PARTIES, RAILS } from './demand.rules.ts';

const cursor = z.string().max(120).regex(CURSOR);

export const demandPage = {
  limit: pageLimit(1000, 100),
  cursor: cursor.optional().describe('`nextCursor` of the page before.'),
  affiliatedCursor: cursor.optional().describe('`affiliatedRail.nextCursor` of the page before.'),
};

const counts = <K extends string>(keys: readonly K[], id: string) =>
  z.object(Object.fromEntries(keys.map((key) => [key, z.int()])) as Record<K, z.ZodInt>).meta({ id });

const countsByParty = counts(PARTIES, 'CountsByParty');
const countsByRail = counts(RAILS, 'CountsByRail');

const ledgerRow = z.object({
  amountCents: z.int(),
  buyer: z.string(),
  createdAt: z.iso.datetime(),
  id: z.uuid(),
  isReferenceListing: z.boolean(),
  party: z.enum(PARTIES),
  platformFeeCents: z.int(),
  rail: z.enum(RAILS),
  seller: z.string(),
  status: z.enum(['held', 'releasing', 'released']),
  verticalName: z.string(),
  verticalSlug: z.string(),
});
export type LedgerRow = z.output<typeof ledgerRow>;

/** Clause: Demand ledger, with every member that it names. */
export const demandLedger = z.object({
  affiliatedRail,
  armsLengthCents: z.int(),
  armsLengthClassification: z.object({ configured: z.boolean(), note: z.string() }),
  breakdownBasis: z.record(z.string(), z.string()),
  byParty: countsByParty,
  byPartyAllRows: countsByParty,
  byRail: countsByRail,
  byRailAllRows: countsByRail,
  escrow: z.object({
    heldCents: z.int(),
    heldRows: z.int(),
    note: z.string(),
    releasedCents: z.int(),
    releasedRows: z.int(),
    releasingCents: z.int(),
    releasingRows: z.int(),
  }),
  externallySigned: z.int().describe('Settled rows whose payment anyone can look up on a public chain.'),
  generatedAt: z.iso.datetime(),
  ledger: z.array(ledgerRow),
  limit: z.int(),
  limitations: z.array(z.string()),
  nextCursor: z.string().nullable().describe('For `cursor`; null on the last page.'),
  reconciliation: z.string(),
  totals: z.object({
    distinctBuyers: z.int(),
    distinctSellers: z.int(),
    grossCents: z.int(),
    paidRows: z.int(),
    platformFeeCents: z.int(),
    referenceListingRows: z.int(),
    settledRows: z.int(),
    settledSales: z.int(),
    zeroAmountRows: z.int(),
  }),
  verify: z.string(),
  window: z.object({ first: z.iso.datetime().nullable(), last: z.iso.datetime().nullable() }),
});
