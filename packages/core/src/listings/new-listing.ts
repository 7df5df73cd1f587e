import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { inBucketOf } from '../kernel/bucket.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { textDigestOf } from './blocks/text-digest.ts';
import { fingerprintOf } from './declared-content.ts';
import type { HistoryEntry } from './history.rules.ts';
import type { ListingType, RedeliveryTerms } from './listing.ts';
import type { ListingRow } from './listings.store.ts';
import { mostMicrosOf, textOfMeter } from './price/price.rules.ts';
import { signHistoryEntry } from './sign-history-entry.ts';

/** The content of a new listing, whoever publishes it. */
export interface ListingDraft {
  readonly id?: string;
  readonly title: string;
  readonly description: string;
  readonly preview: JsonObject;
  readonly priceCents: number;
  /** Left out: a whole number of cents. */
  readonly priceMicros?: number | null | undefined;
  /** Left out: one price. */
  readonly meter?: ListingRow['meter'] | undefined;
  readonly listingType: ListingType;
  readonly maxCopies?: number | undefined;
  readonly fulfilment: 'digital' | 'physical';
  readonly redelivery?: RedeliveryTerms;
  readonly images: readonly string[];
  readonly inputSchema?: JsonObject | null | undefined;
  readonly outputSchema?: JsonObject | null | undefined;
  readonly exampleQuery?: JsonObject | null | undefined;
  readonly subcategory?: string | undefined;
  readonly contextTags?: readonly string[] | undefined;
  readonly dataOrigin?: string | null;
  readonly collectionMethod?: string | null;
  readonly sourceAttribution?: string | null;
  /** The seller declared that it is about no single person's health. */
  readonly notPersonalHealth?: boolean | undefined;
  /** For personal health data only, which is listed through its own operation. */
  readonly health?: HealthColumns;
}

type HealthColumns = Pick<ListingRow, 'dataDate' | 'dataFormat' | 'sellerState' | 'deidentificationLevel'> & {
  readonly demographics: JsonObject | null;
  readonly authorizedUses: readonly string[];
};

type Placement = Pick<
  ListingRow,
  'sellerId' | 'sellerKind' | 'status' | 'verticalSlug' | 'isSample' | 'createdAt'
>;

/** The row of a new listing and the first entry of its history. */
export async function newListing(
  ports: Pick<Ports, 'ids' | 'signer'>,
  draft: ListingDraft,
  placement: Placement,
): Promise<{ row: ListingRow; entry: HistoryEntry }> {
  const {
    inputSchema = null,
    outputSchema = null,
    exampleQuery = null,
    redelivery = 'same',
    meter = null,
  } = draft;
  const priceMicros = draft.priceMicros ?? (meter && mostMicrosOf(meter));
  const { verticalSlug, createdAt } = placement;
  const id = draft.id ?? inBucketOf(placement.sellerId, ports.ids.uuid());
  const fingerprint = await fingerprintOf({ ...draft, inputSchema, outputSchema, verticalSlug });
  const entry = await signHistoryEntry(ports, id, {
    changeType: 'created',
    changedAt: createdAt,
    changes: {
      fingerprint: { from: null, to: fingerprint },
      ...(draft.notPersonalHealth && { notPersonalHealth: { from: null, to: true } }),
      priceCents: { from: null, to: draft.priceCents },
      ...(priceMicros !== null && { priceMicros: { from: null, to: priceMicros } }),
      ...(meter !== null && { meter: { from: null, to: textOfMeter(meter) } }),
      ...(redelivery !== 'same' && { redelivery: { from: null, to: redelivery } }),
    },
    previousDigest: null,
    reason: null,
    version: 1,
  });
  const row: ListingRow = {
    ...UNUSED,
    ...(draft.health && { ...draft.health, healthConsentVerified: true }),
    ...placement,
    id,
    title: draft.title,
    description: draft.description,
    preview: draft.preview,
    priceCents: draft.priceCents,
    priceMicros,
    meter,
    pricingType: 'fixed',
    listingType: draft.listingType,
    maxCopies: draft.maxCopies ?? null,
    fulfilment: draft.fulfilment,
    redelivery,
    fingerprint,
    textDigest: await textDigestOf(draft),
    images: draft.images,
    inputSchema: inputSchema,
    outputSchema: outputSchema,
    exampleQuery: exampleQuery,
    subcategory: draft.subcategory ?? null,
    contextTags: draft.contextTags ?? null,
    dataOrigin: draft.dataOrigin ?? null,
    collectionMethod: draft.collectionMethod ?? null,
    sourceAttribution: draft.sourceAttribution ?? null,
    historyDigest: entry.digest,
  };
  return { row, entry };
}

/** Columns that start empty, or that only personal health data uses. */
const UNUSED = {
  dataDate: null,
  dataFormat: null,
  sellerState: null,
  demographics: null,
  deidentificationLevel: null,
  authorizedUses: null,
  healthConsentVerified: false,
  soldCount: 0,
  purchaseCount: 0,
  popularity: 0,
  viewCount: 0,
  ratingCount: 0,
  ratingSum: 0,
  ratedWeight: 0,
  starsWeight: 0,
  version: 1,
  lastModified: null,
  blockedAt: null,
  blockedRule: null,
  blockedReason: null,
  blockedStatus: null,
  pictures: [],
} as const;
