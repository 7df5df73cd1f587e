import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { CanonicalJsonError, canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { buyerLabelOf } from '../../agents/index.ts';
import type { Slices } from '../../fees/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { Meter } from '../../listings/index.ts';
import { logByOf, newSalt } from '../../provenance/index.ts';
import type { DeliveryMeasures } from '../../quality/index.ts';
import { purchaseErrors } from '../purchases.errors.ts';
import { queryDigestOf } from '../reservation/sealed-query.ts';
import type { PurchaseReceipt, Sale } from '../sale.ts';

/** A sale about to be captured: all that its receipt says is known. */
export type AnsweredSale = Sale & { readonly contentDigest: string; readonly deliveredAt: string };

/** With what is measured of it and belongs to no sale. */
export type DeliveredSale = AnsweredSale &
  Pick<DeliveryMeasures, 'latencyMs'> & {
    /** What is reserved for it: more than its price, where fewer units were used than it allowed. */
    readonly reservedCents: number;
  };

/** What a receipt says of a delivery, and what is measured of it. */
export interface DeliveryFacts extends DeliveryMeasures {
  readonly contentDigest: string;
  readonly deliveredAt: IsoTime;
  /** What it is one more slice of, where the sale has no price of its own; left out: it is sold at its price. */
  readonly earlier?: Slices;
  /** What its seller used; null or left out: it has one price. */
  readonly units?: number | null | undefined;
}

/** Whether a receipt can name the query: it needs a canonical form. */
export function hasReceiptForm(query: JsonObject | null): boolean {
  try {
    canonicalJson(query ?? {});
    return true;
  } catch (error) {
    if (error instanceof CanonicalJsonError) return false;
    throw error;
  }
}

/** Before anything is reserved: a receipt that cannot be made must not be found out once it is paid. */
export function requireReceiptForm(query: JsonObject | null): void {
  if (hasReceiptForm(query)) return;
  const detail = 'It is nested too deep, or holds a number or a text that JSON has no one form for.';
  throw new Refusal(purchaseErrors.query_not_accepted, { detail });
}

/** The receipt of what was delivered, signed at the time of delivery. */
export async function signReceipt(
  ports: Pick<Ports, 'clock' | 'ids' | 'signer' | 'keyedHash'>,
  sale: AnsweredSale,
  fingerprint: string,
  { outputSchemaDigest, units }: Pick<DeliveryFacts, 'outputSchemaDigest' | 'units'>,
): Promise<PurchaseReceipt> {
  const { id, buyerId, deliveredAt } = sale;
  const [buyer, queryDigest] = await Promise.all([
    buyerId === null ? null : buyerLabelOf(ports, buyerId),
    queryDigestOf(sale),
  ]);
  return signStatement(
    ports.signer,
    {
      amountCents: sale.amountCents,
      buyer,
      contentDigest: sale.contentDigest,
      currency: 'usd' as const,
      deliveredAt,
      feeScheduleVersion: sale.feeScheduleVersion,
      fingerprint,
      listingId: sale.listingId,
      listingVersion: sale.listingVersion,
      logBy: logByOf(ports),
      outputSchemaDigest,
      platformFeeCents: sale.platformFeeCents,
      purchaseId: id,
      queryDigest,
      rail: sale.rail,
      salt: newSalt(ports),
      sellerId: sale.sellerId,
      type: 'purchase_receipt' as const,
      ...usedOf(sale.payment.meter, units),
    },
    deliveredAt,
  );
}

/** What a receipt says of the units of a metered listing. */
export function usedOf(meter: Meter | null, units: number | null | undefined) {
  if (meter === null || typeof units !== 'number') return {};
  const { unit, unitPriceMicros } = meter;
  return { unit, unitPriceMicros, units };
}
