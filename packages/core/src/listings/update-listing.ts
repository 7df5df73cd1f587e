import * as z from 'zod';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { changeListing } from './change-listing.ts';
import { listingErrors } from './listings.errors.ts';
import {
  description,
  historyEntryView,
  listingDetailView,
  listingId,
  meterTerms,
  notPersonalHealth,
  pendingFields,
  preview,
  priceCents,
  priceMicros,
  reason,
  redelivery,
  title,
} from './listings.schema.ts';
import { findListing } from './listings.store.ts';
import { changedListingAnswer } from './tools/brief-listing.rules.ts';

export const changedListing = listingDetailView
  .extend({
    ...pendingFields,
    change: historyEntryView.nullable().describe('The history entry made; null if nothing changed.'),
  })
  .meta({ id: 'ChangedListing' });

const CHANGEABLE = [
  'title',
  'description',
  'priceCents',
  'priceMicros',
  'meter',
  'active',
  'preview',
  'redelivery',
] as const;

/** Clause: PATCH /marketplace/listings/{id}. */
export const updateListing = defineOperation({
  name: 'updateListing',
  summary: 'Change a listing; every change is versioned and signed.',
  area: 'Listings',
  auth: 'agent',
  scope: 'sell',
  input: z.object({
    listingId,
    title: title.optional(),
    description: description.optional(),
    priceCents: priceCents.optional(),
    priceMicros: priceMicros.optional(),
    meter: meterTerms.optional(),
    active: z.boolean().optional().describe('false takes it off the market, true puts it back.'),
    preview: preview.optional(),
    redelivery: redelivery.optional(),
    notPersonalHealth,
    reason,
  }),
  publicFields: ['title', 'description', 'preview', 'reason'],
  output: changedListing,
  errors: [
    listingErrors.listing_not_found,
    listingErrors.not_listing_owner,
    listingErrors.listing_blocked,
    listingErrors.listing_changed,
    listingErrors.health_consent_gone,
    listingErrors.health_flow_required,
    listingErrors.health_declaration_rejected,
  ],
  http: {
    method: 'patch',
    path: '/marketplace/listings/{id}',
    status: 200,
    names: { listingId: 'id' },
  },
  mcp: {
    tool: 'update_listing',
    title: 'Change a listing',
    description:
      'Change your listing; `active: true` puts it back on the market. Send only what changes: it is ' +
      'signed and public, with your `reason`. Free.',
    answer: changedListingAnswer,
    unlisted: ['redelivery', 'priceMicros', 'meter'],
    hints: { readOnly: false, destructive: false, idempotent: true },
  },
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { listingId }) => findListing(market, listingId),
  async handle(ctx, { listingId: _, ...patch }, listing) {
    if (CHANGEABLE.every((field) => patch[field] === undefined)) {
      throw new Refusal(commonErrors.validation_failed, {
        fields: CHANGEABLE.map((path) => ({ message: 'Name at least one of these fields.', path })),
      });
    }
    return changeListing(ctx, listing, patch);
  },
});
