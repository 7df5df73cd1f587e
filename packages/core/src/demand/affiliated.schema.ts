import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { VERIFY_OPERATION } from '@agent-marketplace/protocol/crypto/verify-operation.ts';
import * as z from 'zod';
import { signedStatementOf } from '../provenance/index.ts';
import type { AffiliatedMerchant, RecordedReceipt } from './affiliated.store.ts';
import { affiliatedStatement } from './affiliated-receipt.rules.ts';

const merchantView = z
  .object({ id: z.string(), name: z.string(), siteOrigin: z.string() })
  .meta({ id: 'AffiliatedMerchant' });

export const affiliatedReceiptView = signedStatementOf(
  z.object({
    amountCents: z.int(),
    description: z.string(),
    id: z.string(),
    merchant: merchantView,
    mode: z.enum(['live', 'test']),
    paidAt: z.iso.datetime(),
    party: z.literal('affiliated'),
    rail: z.string(),
    status: z.enum(['paid', 'refunded']),
    type: z.literal('affiliated_receipt'),
  }),
).meta({ id: 'AffiliatedReceipt' });

export const affiliatedRow = z
  .object({
    amountCents: z.int(),
    createdAt: z.iso.datetime(),
    description: z.string(),
    id: z.string(),
    merchant: z.string(),
    mode: z.enum(['live', 'test']),
    paidAt: z.iso.datetime(),
    party: z.literal('affiliated'),
    rail: z.string(),
    receipt: affiliatedReceiptView.describe(
      'What was signed when it was recorded: a leaf of the log is about it.',
    ),
    status: z.enum(['paid', 'refunded']),
    verify: z.string().describe('GET this path, below the API root.'),
  })
  .meta({ id: 'AffiliatedRow' });

/** The statement is made of what is recorded: one that was changed does not fit its digest. */
export function viewAffiliatedReceipt(receipt: RecordedReceipt): z.output<typeof affiliatedReceiptView> {
  const { digest, keyId, signature, signedAt } = receipt;
  const statement = affiliatedStatement(receipt);
  return { alg: 'ed25519', digest, keyId, signature, signedAt, statement, verify: VERIFY_OPERATION };
}

export function viewAffiliatedRow(receipt: RecordedReceipt): z.output<typeof affiliatedRow> {
  return {
    amountCents: receipt.amountCents,
    createdAt: receipt.createdAt,
    description: receipt.description,
    id: receipt.id,
    merchant: receipt.merchantName,
    mode: receipt.mode,
    paidAt: receipt.paidAt,
    party: 'affiliated',
    rail: receipt.rail,
    receipt: viewAffiliatedReceipt(receipt),
    status: receipt.status,
    verify: `/${BRAND.payReceiptSegment}/receipts/${receipt.id}/verify`,
  };
}

/** So that whoever keeps signed pages shows that none between them is left out. */
export const shownCursor = z.string().nullable().describe('What was asked for; null: it is the first page.');

export const affiliatedRail = z.object({
  byMerchant: z.record(z.string(), z.object({ count: z.int(), grossCents: z.int() })),
  count: z.int(),
  countsTowardArmsLength: z.literal(false),
  countsTowardP0: z.literal(false),
  disclosure: z.string(),
  distinctMerchants: z.int(),
  grossCents: z.int(),
  includedInTotalsAbove: z.literal(false),
  cursor: shownCursor,
  ledger: z.array(affiliatedRow).describe('Newest first; at most 100 on a page.'),
  merchants: z.array(merchantView),
  nextCursor: z.string().nullable().describe('For `affiliatedCursor`; null on the last page.'),
  note: z.string(),
  party: z.literal('affiliated'),
});

const DISCLOSURE =
  'These merchants are related to the operator of the marketplace and sell on sites of their own. Their sales are ' +
  'disclosed here, apart from everything above.';
const NOTE =
  '`count` and `grossCents` are of the receipts with status paid and mode live; the ledger lists all. Each receipt ' +
  'was signed when it was recorded: `verify` checks it.';

/** Clause: affiliatedRail object; members in canonical order. */
export function viewAffiliatedRail(
  merchants: readonly AffiliatedMerchant[],
  {
    rows: receipts,
    nextCursor,
  }: { readonly rows: readonly RecordedReceipt[]; readonly nextCursor: string | null },
  cursor: string | null,
): z.output<typeof affiliatedRail> {
  const byName = [...merchants].sort((a, b) => (a.name < b.name ? -1 : 1));
  const all = (of: (merchant: AffiliatedMerchant) => number) =>
    merchants.reduce((sum, merchant) => sum + of(merchant), 0);
  return {
    byMerchant: Object.fromEntries(
      byName.map(({ name, receipts: count, grossCents }) => [name, { count, grossCents }]),
    ),
    count: all((merchant) => merchant.receipts),
    countsTowardArmsLength: false,
    countsTowardP0: false,
    disclosure: DISCLOSURE,
    distinctMerchants: merchants.length,
    grossCents: all((merchant) => merchant.grossCents),
    includedInTotalsAbove: false,
    cursor,
    ledger: receipts.map(viewAffiliatedRow),
    merchants: merchants.map(({ id, name, siteOrigin }) => ({ id, name, siteOrigin })),
    nextCursor,
    note: NOTE,
    party: 'affiliated',
  };
}
