import * as z from 'zod';
import { verticalBySlug } from '../catalogue/index.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageOf, positionOf } from '../kernel/page-cursor.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { viewAffiliatedRail } from './affiliated.schema.ts';
import { readAffiliatedMerchants, readAffiliatedReceipts } from './affiliated.store.ts';
import {
  armsLengthCentsOf,
  breakdownsOf,
  escrowOf,
  externallySignedOf,
  partyOf,
  reconciliationOf,
  totalsOf,
} from './demand.rules.ts';
import { demandLedger, demandPage, type LedgerRow } from './demand.schema.ts';
import { type DemandRow, readDemandFigures, readDemandRows } from './demand.store.ts';
import { BREAKDOWN_BASIS, CLASSIFICATION_NOTES, ESCROW_NOTE, LIMITATIONS, VERIFY } from './demand-texts.ts';
import { readRemovedSettlements } from './settlements.store.ts';

const AFFILIATED_PAGE = 100;
const REMOVED_PAGE = 100;

/** Clause: Demand ledger; GET /proof/demand. */
export const getDemandLedger = defineOperation({
  name: 'getDemandLedger',
  summary:
    'The demand ledger: every settled purchase, who had a part in it, and totals that can be recomputed.',
  description:
    'Totals are of the whole ledger, whichever page is asked for. `ledger` is one page of its rows, newest first: ' +
    '`nextCursor` is the `cursor` of the next one. Sellers and buyers are shown by pseudonym, or by the public name ' +
    'they chose.',
  area: 'Meta',
  auth: 'none',
  input: z.object(demandPage),
  output: demandLedger,
  ownTexts: ['verify'],
  errors: [],
  http: { method: 'get', path: '/proof/demand', status: 200 },
  rate: 'read',
  lag: 'The newest sales.',
  cache: { freshSeconds: 5, staleIfErrorSeconds: 3600 },
  prefetch: readLedger,
  async handle(
    { now },
    { limit, cursor, removedCursor, affiliatedCursor },
    { figures, rows, merchants, receipts, removed },
  ) {
    const { cells, revision, distinct, ledger, configuredAt, classification, treeSize, first, last } =
      figures;
    const isConfigured = configuredAt !== null;
    const page = pageOf(rows, limit);
    const affiliated = pageOf(receipts, AFFILIATED_PAGE);
    const removedPage = pageOf(removed, REMOVED_PAGE);
    return {
      affiliatedRail: viewAffiliatedRail(merchants, affiliated, affiliatedCursor ?? null),
      armsLengthCents: armsLengthCentsOf(cells, isConfigured),
      armsLengthClassification: {
        configured: isConfigured,
        note: isConfigured ? CLASSIFICATION_NOTES.configured : CLASSIFICATION_NOTES.notConfigured,
        statement: classification,
      },
      breakdownBasis: BREAKDOWN_BASIS,
      ...breakdownsOf(cells, isConfigured),
      cursor: cursor ?? null,
      escrow: withNote(escrowOf(cells)),
      externallySigned: externallySignedOf(cells),
      generatedAt: isoTime(now),
      ledger: page.rows.map((row) => viewRow(row, isConfigured)),
      limit,
      limitations: LIMITATIONS,
      nextCursor: page.nextCursor,
      reconciliation: reconciliationOf(cells, ledger),
      removedRows: {
        cursor: removedCursor ?? null,
        nextCursor: removedPage.nextCursor,
        rows: removedPage.rows.map(({ change, settlement }) => ({ change, settlement })),
      },
      revision,
      totals: totalsOf(cells, distinct),
      treeSize,
      verify: VERIFY,
      window: { first, last },
    };
  },
});

/** All of one moment: the reads are one transaction, and one round trip. */
async function readLedger(
  { market }: Pick<Ports, 'market'>,
  {
    limit,
    cursor,
    affiliatedCursor,
    removedCursor,
  }: { limit: number } & Partial<Record<'cursor' | 'affiliatedCursor' | 'removedCursor', string | undefined>>,
) {
  const [figures, rows, merchants, receipts, removed] = await Promise.all([
    readDemandFigures(market),
    readDemandRows(market, positionOf(cursor), limit + 1),
    readAffiliatedMerchants(market),
    readAffiliatedReceipts(market, positionOf(affiliatedCursor), AFFILIATED_PAGE + 1),
    readRemovedSettlements(market, positionOf(removedCursor), REMOVED_PAGE + 1),
  ]);
  return { figures, rows, merchants, receipts, removed };
}

function withNote(escrow: ReturnType<typeof escrowOf>) {
  const { heldCents, heldRows, ...others } = escrow;
  return { heldCents, heldRows, note: ESCROW_NOTE, ...others };
}

function viewRow(row: DemandRow, isConfigured: boolean): LedgerRow {
  const {
    amountCents,
    change,
    createdAt,
    id,
    platformFeeCents,
    rail,
    seller,
    settlement,
    status,
    verticalSlug,
  } = row;
  return {
    amountCents,
    buyer: row.buyer ?? 'anonymous',
    change,
    createdAt,
    id,
    isReferenceListing: row.isReference,
    party: partyOf(row.class, isConfigured),
    platformFeeCents,
    rail,
    seller,
    settlement,
    statementDigest: settlement?.digest ?? null,
    status,
    verticalName: verticalBySlug(verticalSlug)?.name ?? verticalSlug,
    verticalSlug,
  };
}
