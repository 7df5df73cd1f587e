import type { Json, JsonObject } from '../kernel/json/json.ts';
import type { IsoTime } from '../kernel/time.ts';

export type ListingStatus = 'pending' | 'active' | 'inactive';
export type ListingType = 'standard' | 'limited' | 'exclusive';

/** A listing with what is needed of its seller, as read in one go. */
export interface Listing {
  readonly id: string;
  readonly status: ListingStatus;
  readonly verticalSlug: string;
  readonly title: string;
  readonly description: string;
  readonly preview: JsonObject;
  readonly priceCents: number;
  readonly pricingType: 'fixed';
  readonly listingType: ListingType;
  readonly maxCopies: number | null;
  readonly fulfilment: 'digital' | 'physical';
  readonly fingerprint: string;
  readonly images: readonly string[];
  readonly inputSchema: JsonObject | null;
  readonly outputSchema: JsonObject | null;
  readonly exampleQuery: JsonObject | null;
  readonly subcategory: string | null;
  readonly dataDate: string | null;
  readonly dataFormat: string | null;
  readonly sellerState: string | null;
  readonly demographics: Json;
  readonly contextTags: Json;
  readonly deidentificationLevel: string | null;
  readonly authorizedUses: Json;
  readonly dataOrigin: string | null;
  readonly collectionMethod: string | null;
  readonly sourceAttribution: string | null;
  readonly healthConsentVerified: boolean;
  readonly isSample: boolean;
  readonly soldCount: number;
  readonly purchaseCount: number;
  /** How many bought it, as far as it says something: anybody can take what is free any number of times. */
  readonly popularity: number;
  readonly viewCount: number;
  readonly ratingCount: number;
  readonly ratingSum: number;
  readonly version: number;
  readonly historyDigest: string;
  readonly lastModified: IsoTime | null;
  readonly createdAt: IsoTime;
  readonly seller: ListingSeller;
}

export interface ListingSeller {
  readonly id: string;
  readonly name: string;
  readonly kind: 'third_party' | 'platform';
  readonly registeredAt: IsoTime;
  readonly deliveredCount: number;
  readonly failedCount: number;
  readonly ratingCount: number;
  readonly ratingSum: number;
  readonly payouts: 'not_connected' | 'connected';
  readonly claimExpiresAt: IsoTime | null;
  readonly endpoint: ListingEndpoint | null;
  /** A fixture of the operator: shown in no list, and sold to its like only. */
  readonly isSmokeTest: boolean;
}

/** Where the seller is asked; never shown to anyone. */
export interface ListingEndpoint {
  readonly callbackUrl: string;
  readonly callbackType: 'webhook' | 'polling' | 'mcp';
}
