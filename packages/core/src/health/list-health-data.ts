import * as z from 'zod';
import { PERSONAL_HEALTH_VERTICAL_SLUG, verticalBySlug } from '../catalogue/index.ts';
import { commonErrors, type FieldError, Refusal } from '../kernel/errors.ts';
import { jsonObjectUpTo } from '../kernel/json/json-schema.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { lineOf } from '../kernel/text-schema.ts';
import { DAY_MS, type EpochMs, isoTime } from '../kernel/time.ts';
import {
  description,
  HEALTH_MIN_PRICE_CENTS,
  holdsName,
  listingErrors,
  NAME_REMOVED_MESSAGE,
  preview,
  publishedListing,
  publishedListingAnswer,
  publishListing,
  title,
} from '../listings/index.ts';
import { authorizedUses, consentProblems } from './consent.rules.ts';
import { insertConsent } from './consents.store.ts';
import { consentRecord, dataFormat, healthConsent, subcategory } from './health.schema.ts';
import { signConsent } from './sign-consent.ts';

const input = z.object({
  title,
  description,
  preview,
  priceCents: z
    .int()
    .min(HEALTH_MIN_PRICE_CENTS)
    .max(1_000_000_000)
    .describe('Integer cents for each query; at least 500.'),
  subcategory: subcategory.describe('Kind of health data.'),
  dataFormat: dataFormat.describe('Of the deliverable.'),
  consent: healthConsent.describe('Your signed consent: what you declare, and what buyers may do.'),
  dataDate: z.iso.date().optional().describe('YYYY-MM-DD: when the data was taken.'),
  demographics: jsonObjectUpTo(4 * 1024)
    .optional()
    .describe('What buyers may know of you, as an age band; at most 4 KiB; public.'),
  contextTags: z.array(lineOf(50)).max(20).optional().describe('Public.'),
});

const PUBLIC_FIELDS = ['title', 'description', 'preview', 'demographics', 'contextTags'] as const;

/** Clause: MCP list_health_data; health consent object. */
export const listHealthData = defineOperation({
  name: 'listHealthData',
  summary: 'List your own health data for sale, with your signed consent.',
  description:
    'Individuals only, and only data about themselves. It is sold one query at a time, to buyers who attest to their ' +
    'use; never exclusively, in bulk, by offer or through x402. The consent becomes a signed record, kept for six years. ' +
    'Live at once if your delivery endpoint is verified and payouts are connected; otherwise pending, with a claimUrl.',
  area: 'Listings',
  auth: 'agent',
  scope: 'sell',
  input,
  publicFields: PUBLIC_FIELDS,
  output: publishedListing.extend({
    consent: z.object({
      record: consentRecord,
      signerSalt: z.uuid().describe('Yours alone: with it you can show that the record names you.'),
    }),
  }),
  errors: [listingErrors.listing_blocked],
  http: { method: 'post', path: '/health-data/listings', status: 201 },
  mcp: {
    tool: 'list_health_data',
    title: 'List your own health data',
    description:
      'List health data of the person you act for, and of nobody else. `consent` is a legal ' +
      'signature: show that person GET /health-data/terms, which words each member, and ask for each; never fill ' +
      'it in yourself. Listing is free; a query costs at least 500 cents. The signed record of the consent is kept ' +
      'for six years.',
    answer: publishedListingAnswer,
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, request) {
    const { consent, dataDate = null, dataFormat, demographics = null, subcategory } = request;
    const problems = [...consentProblems(consent, subcategory), ...contentProblems(request, ctx.now)];
    if (problems.length > 0) throw new Refusal(commonErrors.validation_failed, { fields: problems });

    const draft = {
      title: request.title,
      description: request.description,
      preview: request.preview,
      priceCents: request.priceCents,
      listingType: 'standard' as const,
      fulfilment: 'digital' as const,
      images: [],
      subcategory,
      contextTags: request.contextTags,
      dataOrigin: 'The seller’s own data',
      health: {
        dataDate,
        dataFormat,
        sellerState: consent.sellerState,
        deidentificationLevel: consent.deidentificationLevel,
        demographics,
        authorizedUses: authorizedUses(consent),
      },
    };
    return publishListing(ctx, draft, FILING, async (row) => {
      const signed = await signConsent(ctx.ports, { ...row, subcategory, dataDate, dataFormat }, consent);
      const { record, signerSalt } = signed;
      return { statements: [insertConsent(signed)], fields: { consent: { record, signerSalt } } };
    });
  },
});

const vertical = verticalBySlug(PERSONAL_HEALTH_VERTICAL_SLUG);
if (!vertical) throw new Error('There is no vertical for personal health data.');
const FILING = { vertical, method: 'chosen' as const, matchedKeywords: [] };

/** A date one day ahead is accepted: somewhere it is tomorrow already. */
function contentProblems(draft: z.output<typeof input>, now: EpochMs): FieldError[] {
  const { consent, dataDate } = draft;
  const problems: FieldError[] = [];
  if (dataDate !== undefined && dataDate > isoTime(now + DAY_MS)) {
    problems.push({ message: 'The date is in the future.', path: 'dataDate' });
  }
  if (consent.deidentificationLevel !== 'name_removed') return problems;
  for (const path of PUBLIC_FIELDS) {
    if (!holdsName(draft[path] ?? null, consent.signerLegalName)) continue;
    problems.push({ message: NAME_REMOVED_MESSAGE, path });
  }
  return problems;
}
