import { type FeeBand, feeBand, platformFeeCents } from '@agent-marketplace/core/fees/fee-schedule.rules.ts';
import type { Operations } from '@agent-marketplace/sdk';

type Meta = Operations['getMeta']['output'];

export interface FeeSplit {
  readonly band: FeeBand;
  readonly buyerPaysCents: number;
  readonly feeCents: number;
  readonly sellerGetsCents: number;
}

/** Splits a price by the rates of `GET /meta` and the same rule that settles sales. */
export function feeSplit(meta: Meta, priceCents: number): FeeSplit {
  const rates = { ...meta.fees.bands, buyerBps: meta.buyerBps, listingBps: meta.fees.listing_fee_bps };
  const feeCents = platformFeeCents(rates, priceCents);
  return {
    band: feeBand(rates, priceCents),
    buyerPaysCents: priceCents,
    feeCents,
    sellerGetsCents: priceCents - feeCents,
  };
}
