import type { SellerRecord } from '../agents/index.ts';
import type { listings } from '../db/tables/listings.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { QualityStatement } from '../quality/index.ts';

type ListingRow = Readonly<typeof listings.$inferSelect>;

export type ListingStatus = ListingRow['status'];
export type ListingType = ListingRow['listingType'];
export type RedeliveryTerms = ListingRow['redelivery'];

/** A listing with what is needed of its seller, as read in one go. */
export interface Listing extends Omit<ListingRow, 'sellerId' | 'sellerKind'> {
  readonly seller: ListingSeller;
  /** Null: too few deliveries to measure. */
  readonly quality: QualityStatement | null;
}

export interface ListingSeller extends Omit<SellerRecord, 'ageDays'> {
  readonly id: string;
  readonly name: string;
  readonly kind: 'third_party' | 'platform';
  readonly registeredAt: IsoTime;
  readonly deliveredCount: number;
  readonly failedCount: number;
  readonly ratingCount: number;
  readonly ratingSum: number;
  readonly deliveredDays: number;
  readonly refusedDays: number;
  readonly payouts: 'not_connected' | 'connected';
  readonly claimExpiresAt: IsoTime | null;
  readonly endpoint: ListingEndpoint | null;
  /** A fixture of the operator: shown in no list, and sold to its like only. */
  readonly isSmokeTest: boolean;
  /** An operator suspended it: nothing of it is offered. */
  readonly isSuspended: boolean;
  /** Its erasure is due: nothing of it is sold. */
  readonly isLeaving: boolean;
}

/** Where the seller is asked; never shown to anyone. */
export interface ListingEndpoint {
  readonly callbackUrl: string;
  readonly callbackType: 'webhook' | 'polling' | 'mcp';
  /** The revision that an MCP server was verified with; null where it is not known. */
  readonly mcpRevision: string | null;
  /** Since when no probe was answered: its listings are left out of browsing. */
  readonly unreachableSince: IsoTime | null;
}
