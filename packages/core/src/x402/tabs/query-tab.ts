import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { RawJson } from '@agent-marketplace/protocol/json/raw-json.ts';
import * as z from 'zod';
import { accountSignature } from '../../kernel/account-signature.schema.ts';
import { commonErrors, Refusal, withMore } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { jsonObjectUpTo, jsonValue } from '../../kernel/json/json-schema.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { findPurchasedListing, type Listing, listingErrors, priceMicrosOf } from '../../listings/index.ts';
import { logBy, receiptSalt, signedStatementOf } from '../../provenance/index.ts';
import {
  answerTabQuery,
  CLOSE_TAB,
  deliveryErrors,
  findSale,
  findTab,
  findTabQuery,
  purchaseErrors,
  requireFittingQuery,
  requireMaxPrice,
  requireOnSale,
  settlementErrors,
  tabErrors,
  tabQueryDigest,
  typedVoucher,
} from '../../sales/index.ts';
import { x402Errors } from '../x402.errors.ts';
import { requireSigned } from './require-signed.ts';

const MOST_MICROS = 500_000_000;
const MOST_VOUCHERS = 1_000_000_000;

/** What is no longer sold will not be answered on this tab: its payer is told what to do with the rest. */
function requireStillSold(listing: Listing): void {
  try {
    requireOnSale(listing, { agentId: null });
  } catch (error) {
    throw error instanceof Refusal ? withMore(error, CLOSE_TAB) : error;
  }
}

/** Clause: x402 pay-per-query. */
export const queryTab = defineOperation({
  name: 'queryTab',
  summary: 'Ask one query of a tab, with a voucher that its payer signed.',
  description:
    'The voucher is typed data (EIP-712): the tab, a `sequence` higher than every one before, the digest of the query, and a ' +
    'ceiling on what all queries of the tab cost together. The seller is asked live, and only an answer with its receipt is ' +
    'charged. The same voucher again brings the same answer, and charges nothing; one that brought nothing may be sent again ' +
    'while no later one was.',
  area: 'Purchasing',
  auth: 'none',
  input: z.object({
    tabId: id.describe('Of the tab.'),
    query: jsonObjectUpTo(64 * 1024)
      .optional()
      .describe("The query, as the listing's inputSchema says."),
    sequence: z.int().min(1).max(MOST_VOUCHERS).describe('Of the voucher.'),
    ceilingMicros: z.int().min(1).max(MOST_MICROS).describe('Of the voucher, in micro-units of USDC.'),
    signature: accountSignature.describe('Of the account that paid, over the typed data `Voucher`.'),
    maxPriceMicros: z
      .int()
      .min(1)
      .max(MOST_MICROS)
      .optional()
      .describe('In micro-units: what may cost more now is refused, and its voucher not taken.'),
  }),
  opaqueFields: ['query'],
  output: z.object({
    content: jsonValue,
    priceMicros: z.int().describe('What it was charged.'),
    units: z.int().nullable().describe('What its seller used. Null: the listing has one price.'),
    receipt: signedStatementOf(
      z.object({
        amountMicros: z.int(),
        contentDigest: z.string(),
        currency: z.literal('usd'),
        deliveredAt: z.iso.datetime(),
        fingerprint: z.string(),
        listingId: z.uuid(),
        listingVersion: z.int(),
        logBy: logBy.optional(),
        outputSchemaDigest: z.string().nullable(),
        queryDigest: z.string(),
        queryId: z.uuid(),
        salt: receiptSalt.optional(),
        sellerId: z.uuid(),
        sequence: z.int(),
        tabId: z.uuid(),
        type: z.literal('tab_query_receipt'),
        unit: z.string().optional().describe('Of a metered listing, with its price and how many were used.'),
        unitPriceMicros: z.int().optional(),
        units: z.int().optional(),
      }),
    ),
  }),
  errors: [
    commonErrors.number_not_exact,
    purchaseErrors.query_not_accepted,
    purchaseErrors.query_required,
    purchaseErrors.listing_not_active,
    purchaseErrors.sold_out,
    purchaseErrors.price_above_max,
    listingErrors.listing_blocked,
    ...Object.values(tabErrors).filter(({ code }) => code !== tabErrors.tab_not_for_listing.code),
    ...Object.values(deliveryErrors),
    settlementErrors.paid_not_delivered,
    x402Errors.x402_not_available,
  ],
  http: { method: 'post', path: '/x402/tabs/{id}/queries', status: 200, names: { tabId: 'id' } },
  rate: 'x402',
  movesMoney: true,
  prefetch: ({ market }, { tabId, sequence }) =>
    Promise.all([
      findTab(market, tabId),
      findSale(market, tabId),
      findPurchasedListing(market, tabId),
      findTabQuery(market, tabId, sequence),
    ]),
  async handle(
    { ports },
    { tabId, query: sent, sequence, ceilingMicros, signature, maxPriceMicros },
    [tab, sale, listing, earlier],
  ) {
    const { chain } = ports;
    if (tab === null || sale === null) throw new Refusal(tabErrors.tab_not_found);
    if (chain === null) throw new Refusal(x402Errors.x402_not_available);
    const voucher = { sequence, ceilingMicros, queryDigest: await tabQueryDigest(sent ?? null) };
    await requireSigned(chain, tab.payer, typedVoucher(chain.token, tabId, voucher), signature as Hex);
    if (listing === null) throw new Refusal(listingErrors.listing_not_found);
    // What was paid for is owed, whatever became of its listing. Who may have it was looked at as the tab was opened.
    if (earlier === null || earlier.status === 'released') {
      requireStillSold(listing);
      requireMaxPrice(maxPriceMicros, priceMicrosOf(listing), 'micro-units');
    }
    const query = requireFittingQuery(listing, sent ?? null);
    const answer = await answerTabQuery(ports, { listing, sale, tab, query, voucher, earlier });
    // The bytes go out as they are: their digest is what the receipt binds.
    const content = new RawJson(answer.content.content) as never;
    const { priceMicros, units, receipt } = answer;
    return { content, priceMicros, units, receipt: receipt as never };
  },
});
