import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { inBucketOf } from '../../kernel/bucket.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { isoTime } from '../../kernel/time.ts';
import { type Listing, priceMicrosOf, usedMicrosOf } from '../../listings/index.ts';
import { logByOf, newSalt } from '../../provenance/index.ts';
import { countUndeliveredOf, noteRedelivery, noteRequest } from '../delivery/count-outcome.ts';
import { paidNotDelivered } from '../delivery/deliver-sale.ts';
import { deliveryRefusal } from '../delivery/delivery-refusal.ts';
import { type Content, fetchContent } from '../delivery/fetch-content.ts';
import { usedOf } from '../delivery/sign-receipt.ts';
import type { Sale } from '../sale.ts';
import { isOutcome } from '../sale-status.rules.ts';
import { LEASE_MS } from '../sale-terms.rules.ts';
import { isUnavailable } from '../sales.store.ts';
import { isTabOver, type Tab, type TabQuery, type Voucher, voucherFault } from './tab.rules.ts';
import { tabErrors, tabTooSmall } from './tabs.errors.ts';
import {
  type ChargedTabQuery,
  chargeTabQuery,
  countRepeat,
  findTab,
  findTabQuery,
  isQueryEnded,
  isVoucherRefused,
  releaseTabQuery,
  reserveTabQuery,
  retakeTabVoucher,
} from './tabs.store.ts';

export interface TabAnswer {
  readonly content: Content;
  readonly receipt: object;
  readonly priceMicros: number;
  /** Null: the listing has one price. */
  readonly units: number | null;
}

/** One query of a tab, whose voucher its payer signed. */
export interface TabOrder {
  readonly listing: Listing;
  readonly sale: Sale;
  readonly tab: Tab;
  readonly query: JsonObject | null;
  readonly voucher: Voucher;
  /** What is recorded of this voucher's number; null: nothing yet. */
  readonly earlier: TabQuery | null;
}

/**
 * Query, then charge: takes the voucher, asks the seller, and charges what it answered with its receipt. Nothing is shown
 * before that. The same voucher again brings the same answer, and charges nothing; the last one, if it brought nothing, asks anew.
 */
export async function answerTabQuery(ports: Ports, order: TabOrder): Promise<TabAnswer> {
  const { listing, sale, tab, query, voucher, earlier } = order;
  // Its answers were paid back with it.
  if (isOutcome(sale.status)) throw new Refusal(tabErrors.tab_closed, { charged: false });
  if (earlier !== null && earlier.queryDigest !== voucher.queryDigest)
    throw new Refusal(tabErrors.tab_voucher_out_of_order, { charged: false });
  if (earlier !== null && earlier.status !== 'released') return repeatAnswer(ports, order, earlier);
  const now = ports.clock.now();
  const priceMicros = priceMicrosOf(listing);
  const id = earlier?.id ?? inBucketOf(listing.seller.id, ports.ids.uuid());
  const reserved = { id, tabId: tab.purchaseId, priceMicros, leasedUntil: isoTime(now + LEASE_MS) };
  try {
    const take = earlier === null ? reserveTabQuery : retakeTabVoucher;
    await ports.market.commit(take(reserved, voucher, isoTime(now)));
  } catch (error) {
    throw isVoucherRefused(error) ? await whyRefused(ports, order, priceMicros) : error;
  }
  const request = { purchaseId: id, query, redelivery: 0, isPaid: true };
  const content = await fetchContent(ports, listing, request, now).catch(async (error: unknown) => {
    await releaseBestEffort(ports, id);
    throw error;
  });
  if (content.kind !== 'delivered') {
    const at = isoTime(ports.clock.now());
    await ports.market
      .commit([releaseTabQuery(id), ...countUndeliveredOf(listing, content, sale, at)])
      .catch(() => {});
    throw deliveryRefusal(content);
  }
  const used = { units: content.units, priceMicros: usedPriceOf(listing, content) };
  const receipt = await signTabReceipt(ports, order, { id, content, ...used });
  const noted = noteRequest(sale, content, isoTime(ports.clock.now()));
  await chargeOnce(ports, { id, contentDigest: content.digest, receipt, ...used }, noted);
  return { content, receipt, ...used };
}

/** What an answer costs: at most what was reserved for it. */
function usedPriceOf(listing: Listing, { units }: Content): number {
  if (listing.meter === null) return priceMicrosOf(listing);
  const micros = usedMicrosOf(listing.meter, units);
  if (micros === null) throw new Error(`A query of listing ${listing.id} used units that it does not allow.`);
  return micros;
}

interface Charged {
  readonly id: string;
  readonly priceMicros: number;
  readonly units: number | null;
  readonly content: Content;
}

/** What the seller answered to which query, and what it cost: verified like every signed statement. */
async function signTabReceipt(
  ports: Pick<Ports, 'signer' | 'clock' | 'ids'>,
  { listing, tab, voucher }: TabOrder,
  { id, priceMicros, units, content }: Charged,
): Promise<object> {
  const deliveredAt = isoTime(ports.clock.now());
  return signStatement(
    ports.signer,
    {
      amountMicros: priceMicros,
      contentDigest: content.digest,
      currency: 'usd' as const,
      deliveredAt,
      fingerprint: listing.fingerprint,
      listingId: listing.id,
      listingVersion: listing.version,
      logBy: logByOf(ports),
      outputSchemaDigest: content.outputSchemaDigest,
      queryDigest: voucher.queryDigest,
      queryId: id,
      salt: newSalt(ports),
      sellerId: listing.seller.id,
      sequence: voucher.sequence,
      tabId: tab.purchaseId,
      type: 'tab_query_receipt' as const,
      ...usedOf(listing.meter, units),
    },
    deliveredAt,
  );
}

/** Charged, or not shown: where the reply of the commit is lost, what is written decides. */
async function chargeOnce({ market }: Ports, charge: ChargedTabQuery, noted: Statement): Promise<void> {
  const statements = [...chargeTabQuery(charge), noted];
  try {
    await market.commit(statements);
  } catch (error) {
    // Released as unanswered, or written by the commit whose reply was lost.
    if (!isUnavailable(error)) throw isQueryEnded(error) ? new Refusal(tabErrors.tab_closed) : error;
    await market.commit(statements).catch((conflict: unknown) => {
      if (!isQueryEnded(conflict)) throw conflict;
      throw new Refusal(tabErrors.tab_query_in_progress, { charged: null, retryAfterSeconds: 1 });
    });
  }
}

async function releaseBestEffort({ market, log }: Ports, id: string): Promise<void> {
  await market.commit([releaseTabQuery(id)]).catch((error: unknown) => {
    log.error('tab_query_not_released', { queryId: id, message: String(error) });
  });
}

async function whyRefused(
  ports: Ports,
  { listing, tab, voucher }: TabOrder,
  priceMicros: number,
): Promise<Refusal> {
  const [found, same] = await Promise.all([
    findTab(ports.market, tab.purchaseId),
    findTabQuery(ports.market, tab.purchaseId, voucher.sequence),
  ]);
  if (same !== null && same.status !== 'released')
    return new Refusal(tabErrors.tab_query_in_progress, { charged: false, retryAfterSeconds: 1 });
  const isOver = found === null || isTabOver(found, ports.clock.now());
  // The last one again is judged as it was before it was taken.
  const isAgain = same !== null && found?.sequence === voucher.sequence;
  const judged = isAgain ? { ...found, sequence: voucher.sequence - 1 } : found;
  const fault = isOver || judged === null ? null : voucherFault(judged, voucher, priceMicros);
  if (fault === 'tab_too_small') return tabTooSmall(listing, { isOpen: true });
  return new Refusal(tabErrors[fault ?? 'tab_closed'], { charged: false });
}

/** One voucher buys one answer: what the seller answers now is shown only if it is that. */
async function repeatAnswer(
  ports: Ports,
  { listing, query }: TabOrder,
  earlier: TabQuery,
): Promise<TabAnswer> {
  if (earlier.receipt === null)
    throw new Refusal(tabErrors.tab_query_in_progress, { charged: null, retryAfterSeconds: 1 });
  const redelivery = await countRepeat(ports.market, earlier.id);
  if (redelivery === null) throw new Refusal(tabErrors.tab_answer_repeated, { charged: true });
  const request = { purchaseId: earlier.id, query, redelivery, isPaid: true };
  const content = await fetchContent(ports, listing, request, ports.clock.now());
  noteRedelivery(ports, listing, content, redelivery);
  if (content.kind !== 'delivered')
    throw paidNotDelivered(content, 'It was charged before, and its voucher stays good for it.');
  if (content.digest !== earlier.contentDigest)
    throw new Refusal(tabErrors.tab_answer_changed, { charged: true });
  const { receipt, priceMicros, units } = earlier;
  return { content, receipt, priceMicros, units };
}

/** What a voucher names its query by. */
export function tabQueryDigest(query: JsonObject | null): Promise<string> {
  return canonicalDigest(query ?? {});
}
