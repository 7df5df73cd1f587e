import { DAY_MS, type EpochMs, epochOf, HOUR_MS, type IsoTime, isoTime } from '../kernel/time.ts';

const OFFER_DEFAULT_MS = 7 * DAY_MS;
const OFFER_MAX_MS = 30 * DAY_MS;

/** The buyer is not there when its offer is accepted, so the page to pay at stays open nearly a day. */
export const OFFER_CHECKOUT_MS = 23 * HOUR_MS;

export type OfferStatus = 'open' | 'accepted' | 'declined' | 'withdrawn' | 'expired';

/** An offer ends by the clock without anybody writing it down. */
export function offerStatus(
  offer: {
    readonly status: 'open' | 'accepted' | 'declined';
    readonly withdrawn: boolean;
    readonly expiresAt: IsoTime;
  },
  now: EpochMs,
): OfferStatus {
  if (offer.withdrawn) return 'withdrawn';
  return offer.status === 'open' && epochOf(offer.expiresAt) <= now ? 'expired' : offer.status;
}

/** Until when an offer stands; null if that is in the past or too far ahead. */
export function offerEnd(requested: IsoTime | undefined, now: EpochMs): IsoTime | null {
  const end = requested === undefined ? now + OFFER_DEFAULT_MS : epochOf(requested);
  return end > now && end <= now + OFFER_MAX_MS ? isoTime(end) : null;
}

/** Exclusive listings only, and never health data: that is sold per query to anyone who attests. */
export function takesOffers(
  listing: { readonly listingType: string; readonly verticalSlug: string },
  personalHealthSlug: string,
): boolean {
  return listing.listingType === 'exclusive' && listing.verticalSlug !== personalHealthSlug;
}
