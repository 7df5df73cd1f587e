import { z } from 'zod';
import { type ClaimLink, claimLinkFor, insertSeller } from '../agents/index.ts';
import {
  categorySlug,
  type Filing,
  fileListing,
  PERSONAL_HEALTH_VERTICAL_SLUG,
  verticalBySlug,
} from '../catalogue/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../kernel/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { signedStatementOf, signStatement } from '../provenance/index.ts';
import { invalidField, refuseSensitiveContent } from './declared-content.ts';
import { refreshAfterChange } from './index-listings.ts';
import type { ListingSeller } from './listing.ts';
import { isReadyToSell } from './listing-state.rules.ts';
import { viewListingDetail } from './listing-view.rules.ts';
import { listingErrors } from './listings.errors.ts';
import {
  description,
  listingDetailView,
  preview,
  priceCents,
  smallObject,
  title,
} from './listings.schema.ts';
import { activatePendingListings, findStanding, insertListing, listingFrom } from './listings.store.ts';
import { newListing } from './new-listing.ts';
import { checkAgainstSchema, requireUsableSchema } from './query-schema.ts';

const input = z.object({
  title,
  description,
  preview,
  priceCents,
  consent: z.literal(true).describe('You own what you list or may sell it, and it is not resold data.'),
  vertical: z
    .string()
    .max(64)
    .optional()
    .describe('Vertical slug; left out, the listing is filed by its text.'),
  category: categorySlug.optional().describe('Macro-category hint for filing.'),
  listingType: z.enum(['standard', 'limited', 'exclusive']).default('standard'),
  maxCopies: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Required for limited listings, and only there.'),
  images: z
    .array(z.url({ protocol: /^https$/ }).max(2048))
    .max(8)
    .default([]),
  subcategory: z.string().trim().min(1).max(100).optional(),
  contextTags: z.array(z.string().trim().min(1).max(50)).max(20).optional(),
  inputSchema: smallObject.optional().describe('JSON Schema 2020-12 of the query.'),
  outputSchema: smallObject.optional().describe('JSON Schema 2020-12 of the deliverable.'),
  exampleQuery: smallObject.optional().describe('A query that the listing answers.'),
  fulfilment: z.enum(['digital', 'physical']).default('digital'),
});

/** Clause: POST /marketplace/listings. */
export const createListing = defineOperation({
  name: 'createListing',
  summary: 'List something for sale.',
  description:
    'Live at once if your delivery endpoint is verified (and payouts are connected, for a priced listing); otherwise pending, and the answer carries a claimUrl for a person to finish that.',
  area: 'Listings',
  auth: 'agent',
  input,
  output: z.object({
    claimUrl: z.url().optional().describe('Only while the listing is pending.'),
    filing: z.object({
      matchedKeywords: z.array(z.string()),
      method: z.enum(['chosen', 'matched', 'general']),
      verticalSlug: z.string(),
    }),
    listing: listingDetailView,
    receipt: signedStatementOf(
      z.object({
        createdAt: z.iso.datetime(),
        fingerprint: z.string(),
        listingId: z.uuid(),
        priceCents: z.int(),
        sellerId: z.uuid(),
        title: z.string(),
        type: z.literal('listing_receipt'),
        version: z.literal(1),
      }),
    ),
  }),
  errors: [listingErrors.sensitive_content, listingErrors.health_flow_required],
  http: { method: 'post', path: '/marketplace/listings', status: 201 },
  mcp: {
    tool: 'sell_data',
    title: 'List something for sale',
    description:
      'List something for sale: data, a service, or anything else that you own or may sell. You keep the content: the ' +
      'marketplace holds the preview only and asks your delivery endpoint at each sale. Listing is free. ' +
      'With a verified endpoint (set_delivery_endpoint), and payouts connected if it has a price, it is live at once; ' +
      'otherwise it is pending, and the answer has a claimUrl for a person. Personal health data is not sold with this tool. `consent` must be true: you ' +
      'may sell this, and it was not bought from others. Next: set_delivery_endpoint if it is pending.',
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, wanted) {
    const { ports, now, caller } = ctx;
    refuseSensitiveContent(wanted);
    requireConsistent(wanted);
    const filing = fileAs(wanted);
    const createdAt = isoTime(now);
    const { seller, isSeller } = await findStanding(ports.market, caller.agentId, createdAt);

    const { row, entry } = await newListing(ports, wanted, {
      sellerId: seller.id,
      sellerKind: 'third_party',
      status: isReadyToSell(seller, wanted.priceCents) ? 'active' : 'pending',
      verticalSlug: filing.vertical.slug,
      isSample: 0,
      createdAt,
    });
    const claim = row.status === 'pending' ? await claimFor(ctx, seller) : null;
    const { id: listingId, fingerprint, priceCents, title } = row;
    const receipt = await signStatement(
      ports.signer,
      {
        createdAt,
        fingerprint,
        listingId,
        priceCents,
        sellerId: seller.id,
        title,
        type: 'listing_receipt' as const,
        version: 1 as const,
      },
      createdAt,
    );
    const answer = {
      ...(claim ? { claimUrl: claim.claimUrl } : {}),
      filing: {
        matchedKeywords: [...filing.matchedKeywords],
        method: filing.method,
        verticalSlug: filing.vertical.slug,
      },
      listing: viewListingDetail(listingFrom(row, seller), filing.vertical, now),
      receipt,
    };
    await ctx.commit(
      [
        ...(isSeller ? [] : [insertSeller(seller.id, null, createdAt)]),
        ...insertListing(row, entry),
        ...(claim?.statements ?? []),
        // An endpoint verified since the standing was read would otherwise leave the listing waiting.
        ...(claim ? [activatePendingListings(seller.id)] : []),
      ],
      answer,
    );
    await refreshAfterChange(ports, [listingId]);
    return answer;
  },
});

function requireConsistent(wanted: z.output<typeof input>): void {
  const { listingType, maxCopies, exampleQuery, inputSchema, outputSchema } = wanted;
  if ((listingType === 'limited') !== (maxCopies !== undefined)) {
    throw invalidField('maxCopies', 'Give it for a limited listing, and only for one.');
  }
  requireUsableSchema('inputSchema', inputSchema);
  requireUsableSchema('outputSchema', outputSchema);
  if (inputSchema && exampleQuery && checkAgainstSchema(inputSchema, exampleQuery).length > 0) {
    throw invalidField('exampleQuery', 'It does not fit inputSchema.');
  }
}

function fileAs(wanted: z.output<typeof input>): Filing {
  const { vertical: slug, category } = wanted;
  if (slug === PERSONAL_HEALTH_VERTICAL_SLUG) throw new Refusal(listingErrors.health_flow_required);
  if (slug === undefined) return fileListing(wanted, [PERSONAL_HEALTH_VERTICAL_SLUG]);
  const vertical = verticalBySlug(slug);
  if (!vertical) throw invalidField('vertical', 'No vertical has this slug; see GET /verticals.');
  if (category !== undefined && vertical.categorySlug !== category) {
    throw invalidField('category', `The vertical ${slug} belongs to the category ${vertical.categorySlug}.`);
  }
  return { vertical, method: 'chosen', matchedKeywords: [] };
}

function claimFor(
  ctx: OperationContext,
  { id: sellerId, claimExpiresAt }: ListingSeller,
): Promise<ClaimLink> {
  const { ports, baseUrl, settings, now } = ctx;
  return claimLinkFor(ports, { baseUrl, siteUrl: settings.siteUrl }, { sellerId, claimExpiresAt }, now);
}
