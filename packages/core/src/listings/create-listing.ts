import * as z from 'zod';
import { requireCallableUrl } from '../agents/index.ts';
import {
  categorySlug,
  type Filing,
  fileListing,
  PERSONAL_HEALTH_VERTICAL_SLUG,
  verticalBySlug,
} from '../catalogue/index.ts';
import { ENDPOINT_URL_MAX_LENGTH, ENDPOINT_URL_REFUSALS } from '../kernel/endpoint-url.ts';
import { defineOperation, type Settings } from '../kernel/operation/operation.ts';
import { lineOf } from '../kernel/text-schema.ts';
import { checkAgainstSchema, requireUsableSchema } from '../schemas/index.ts';
import { invalidField } from './declared-content.ts';
import { listingErrors } from './listings.errors.ts';
import {
  description,
  meterTerms,
  notPersonalHealth,
  preview,
  priceCents,
  priceMicros,
  redelivery,
  smallObject,
  title,
} from './listings.schema.ts';
import { insertDeclaration } from './personal-health/health-declarations.store.ts';
import { personalHealthWords } from './personal-health/health-words.rules.ts';
import { requireDeclarable } from './personal-health/require-declarable.ts';
import { healthFlowRefusal, requireHealthFlow } from './personal-health/require-health-flow.ts';
import { isPersonalHealth } from './personal-health.rules.ts';
import { mostMicrosOf, priceFault } from './price/price.rules.ts';
import { publishedListing, publishListing } from './publish-listing.ts';
import { publishedListingAnswer } from './tools/brief-listing.rules.ts';

const input = z.object({
  title,
  description,
  preview,
  priceCents,
  priceMicros: priceMicros.optional(),
  meter: meterTerms.optional(),
  consent: z.literal(true).describe('You own what you list or may sell it, and it is not resold data.'),
  vertical: z
    .string()
    .max(64)
    .optional()
    .describe('Vertical slug; left out, the listing is filed by its text.'),
  category: categorySlug.optional().describe('Hint for filing.'),
  listingType: z
    .enum(['standard', 'limited', 'exclusive'])
    .default('standard')
    .describe('`limited`: `maxCopies` are sold; `exclusive`: one.'),
  maxCopies: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Required for limited listings, and only there.'),
  images: z
    .array(z.string().trim().max(ENDPOINT_URL_MAX_LENGTH).meta({ format: 'uri' }))
    .max(8)
    .default([])
    .describe('https URLs of pictures.'),
  subcategory: lineOf(100).optional().describe('In your own words.'),
  contextTags: z.array(lineOf(50)).max(20).optional().describe('Words to be found by.'),
  inputSchema: smallObject.optional().describe('JSON Schema of the query, at most 16 KiB.'),
  outputSchema: smallObject.optional().describe('JSON Schema of the deliverable, at most 16 KiB.'),
  exampleQuery: smallObject.optional().describe('A query that the listing answers, at most 16 KiB.'),
  fulfilment: z.enum(['digital', 'physical']).default('digital').describe('`physical`: you ship it.'),
  notPersonalHealth,
  redelivery: redelivery.default('same'),
});

/** Clause: POST /marketplace/listings. */
export const createListing = defineOperation({
  name: 'createListing',
  summary: 'List something for sale.',
  description:
    'Live at once if your delivery endpoint is verified (and payouts are connected, for a priced listing); otherwise pending, and the answer carries a claimUrl for a person to finish that.',
  area: 'Listings',
  auth: 'agent',
  scope: 'sell',
  input,
  publicFields: [
    'title',
    'description',
    'preview',
    'images',
    'subcategory',
    'contextTags',
    'inputSchema',
    'outputSchema',
    'exampleQuery',
  ],
  output: publishedListing,
  errors: [
    listingErrors.health_flow_required,
    listingErrors.health_declaration_rejected,
    listingErrors.listing_blocked,
  ],
  http: {
    method: 'post',
    path: '/marketplace/listings',
    status: 201,
  },
  mcp: {
    tool: 'sell_data',
    title: 'List something for sale',
    description:
      'List something that you own or may sell. You keep the content: your delivery endpoint is asked at each ' +
      'sale. Listing is free. Live at once with a verified endpoint (set_delivery_endpoint) and, if it has a ' +
      'price, connected payouts; else pending, with a `claimUrl` for a person. Your own health data: ' +
      'list_health_data.',
    answer: publishedListingAnswer,
    unlisted: ['subcategory', 'redelivery', 'priceMicros', 'meter'],
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { images, ...rest }) {
    const draft = {
      ...rest,
      images: images.map((url, at) => callableUrl(url, `images.${at}`, ctx.settings)),
    };
    requireConsistent(draft);
    const filing = fileAs(draft);
    if (draft.notPersonalHealth !== true) {
      requireHealthFlow(draft, []);
      return publishListing(ctx, draft, filing, async () => NOTHING_ELSE);
    }
    const words = personalHealthWords(draft);
    const { ports, caller } = ctx;
    await requireDeclarable(ports.market, { sellerId: caller.agentId, listingId: null, words });
    return publishListing(ctx, draft, filing, async ({ id: listingId, version, createdAt }) => ({
      statements: [insertDeclaration({ id: ports.ids.uuid(), listingId, version, words, createdAt })],
      fields: {},
    }));
  },
});

/** In the form that URL parsers write: no character in it can end an attribute or a line. */
function callableUrl(url: string, field: string, settings: Settings): string {
  // Of this machine, in development, over plain HTTP alone: no server there has a certificate.
  const isSecure = url.startsWith('https:');
  requireCallableUrl(url, field, isSecure ? { ...settings, sellerEndpoints: 'public' } : settings);
  const { href } = new URL(url);
  if (href.length > ENDPOINT_URL_MAX_LENGTH) throw invalidField(field, ENDPOINT_URL_REFUSALS.too_long);
  return href;
}

const NOTHING_ELSE = { statements: [], fields: {} };

function requireConsistent(draft: z.output<typeof input>): void {
  const { listingType, maxCopies, exampleQuery, inputSchema, outputSchema } = draft;
  if ((listingType === 'limited') !== (maxCopies !== undefined)) {
    throw invalidField('maxCopies', 'Give it for a limited listing, and only for one.');
  }
  const { priceCents, priceMicros = null, meter = null } = draft;
  const most = priceMicros ?? (meter && mostMicrosOf(meter));
  const fault = priceFault({ priceCents, priceMicros: most, meter }, draft);
  if (fault !== null) throw invalidField(fault.path, fault.message);
  requireUsableSchema('inputSchema', inputSchema, 'A query');
  requireUsableSchema('outputSchema', outputSchema, 'A deliverable');
  if (inputSchema && exampleQuery && checkAgainstSchema(inputSchema, exampleQuery).length > 0) {
    throw invalidField('exampleQuery', 'It does not fit inputSchema.');
  }
}

function fileAs(draft: z.output<typeof input>): Filing {
  const { vertical: slug, category, notPersonalHealth } = draft;
  if (slug === undefined) {
    return refuseHealthData(fileListing(draft, notPersonalHealth ? [PERSONAL_HEALTH_VERTICAL_SLUG] : []));
  }
  const vertical = verticalBySlug(slug);
  if (!vertical) throw invalidField('vertical', 'No vertical has this slug; see GET /verticals.');
  if (category !== undefined && vertical.categorySlug !== category) {
    throw invalidField('category', `The vertical ${slug} belongs to the category ${vertical.categorySlug}.`);
  }
  return refuseHealthData({ vertical, method: 'chosen', matchedKeywords: [] });
}

/** A text that reads like health data is not filed elsewhere instead: its seller may not know of the flow. */
function refuseHealthData(filing: Filing): Filing {
  if (isPersonalHealth({ verticalSlug: filing.vertical.slug })) {
    throw healthFlowRefusal(filing.matchedKeywords);
  }
  return filing;
}
