import * as z from 'zod';
import { CURSOR } from '../kernel/page-cursor.ts';
import { pageLimit } from '../kernel/page-fields.ts';
import { logBy, receiptSalt, signedStatementOf } from '../provenance/index.ts';
import { affiliatedRail, shownCursor } from './affiliated.schema.ts';
import { PARTIES, RAILS } from './demand.rules.ts';

const cursor = z.string().max(120).regex(CURSOR);

export const demandPage = {
  limit: pageLimit(1000, 100).describe(
    'Rows of the page; more than 1000 is 1000, as `limit` of the answer says.',
  ),
  cursor: cursor.optional().describe('`nextCursor` of the page before.'),
  affiliatedCursor: cursor.optional().describe('`affiliatedRail.nextCursor` of the page before.'),
  removedCursor: cursor.optional().describe('`removedRows.nextCursor` of the page before.'),
};

const counts = <K extends string>(keys: readonly K[], id: string) =>
  z.object(Object.fromEntries(keys.map((key) => [key, z.int()])) as Record<K, z.ZodInt>).meta({ id });

const countsByParty = counts(PARTIES, 'CountsByParty');
const countsByRail = counts(RAILS, 'CountsByRail');

const SETTLED = ['held', 'releasing', 'released'] as const;
const signedParty = z
  .enum([...PARTIES.filter((party) => party !== 'unclassified'), 'anonymous', 'apart'])
  .describe('As in rows, but that `anonymous` and `apart` stand for `unclassified`.');

const settlement = signedStatementOf(
  z.object({
    amountCents: z.int(),
    buyer: z.string().describe('A pseudonym, or `anonymous`.'),
    createdAt: z.iso.datetime(),
    id: z.uuid(),
    isReferenceListing: z.boolean(),
    logBy,
    party: signedParty,
    platformFeeCents: z.int(),
    rail: z.enum(RAILS),
    salt: receiptSalt,
    seller: z.string().describe('A pseudonym.'),
    status: z.enum(SETTLED),
    type: z.literal('settlement'),
    verticalSlug: z.string(),
  }),
).meta({ id: 'Settlement' });

const supersedes = z.array(z.string()).readonly().describe('The digests of those before it.');

const settlementChange = signedStatementOf(
  z.object({
    figures: z
      .object({
        amountCents: z.int(),
        isReferenceListing: z.boolean(),
        party: signedParty,
        platformFeeCents: z.int(),
        rail: z.enum(RAILS),
        status: z.enum(SETTLED),
      })
      .optional()
      .describe('With the status `ended`: what still counts in the totals.'),
    logBy,
    party: signedParty,
    removals: z
      .int()
      .min(1)
      .optional()
      .describe('How often the row had left the ledger before: it was put back.'),
    salt: receiptSalt,
    settlement: z.string().describe('The digest of the settlement.'),
    status: z.enum([...SETTLED, 'refunded', 'ended']),
    supersedes,
    type: z.literal('settlement_change'),
  }),
).meta({ id: 'SettlementChange' });

const demandClassification = signedStatementOf(
  z.object({
    configured: z.boolean(),
    logBy,
    salt: receiptSalt,
    supersedes,
    type: z.literal('demand_classification'),
  }),
).meta({ id: 'DemandClassification' });

const ledgerRow = z.object({
  amountCents: z.int(),
  buyer: z.string(),
  change: settlementChange.nullable().describe('The last change of status or party that was signed.'),
  createdAt: z.iso.datetime(),
  id: z.uuid(),
  isReferenceListing: z.boolean(),
  party: z.enum(PARTIES),
  platformFeeCents: z.int(),
  rail: z.enum(RAILS),
  seller: z.string(),
  settlement: settlement.nullable().describe('What was signed of it; null: it is signed within the minute.'),
  statementDigest: z.string().nullable().describe('Of `settlement`: a leaf of the log is about it.'),
  status: z.enum(SETTLED),
  verticalName: z.string(),
  verticalSlug: z.string(),
});
export type LedgerRow = z.output<typeof ledgerRow>;

/** Clause: Demand ledger, with every member that it names. */
export const demandLedger = z.object({
  affiliatedRail,
  armsLengthCents: z.int(),
  armsLengthClassification: z.object({
    configured: z.boolean(),
    note: z.string(),
    statement: demandClassification.nullable().describe('What was signed of it; null: it was never true.'),
  }),
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
  cursor: shownCursor,
  ledger: z.array(ledgerRow),
  limit: z.int(),
  limitations: z.array(z.string()),
  nextCursor: z.string().nullable().describe('For `cursor`; null on the last page.'),
  reconciliation: z.string(),
  removedRows: z
    .object({
      cursor: shownCursor,
      nextCursor: z.string().nullable().describe('For `removedCursor`; null on the last page.'),
      rows: z.array(z.object({ change: settlementChange, settlement: settlement.nullable() })),
    })
    .describe('Settlements that left the ledger, the last ones first; at most 100 on a page.'),
  revision: z
    .int()
    .describe(
      'How often a row came, changed or left so far: pages of one revision are of one state of the ledger.',
    ),
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
  treeSize: z
    .int()
    .describe(
      'Every settlement and change among the first so many leaves of the log is in the rows, or superseded there.',
    ),
  verify: z.string(),
  window: z.object({ first: z.iso.datetime().nullable(), last: z.iso.datetime().nullable() }),
});
