import * as z from 'zod';
import { categorySlug, verticalBySlug } from '../../catalogue/index.ts';
import { listingView } from '../listings.schema.ts';

/** The text of a search. */
export const q = z
  .string()
  .max(200)
  .optional()
  .describe('A question, or words of title and description; the last may be cut short.');

/** Which members of each listing to give. */
export const fields = z
  .string()
  .max(1000)
  .optional()
  .describe('Members of each listing to give, separated by commas; `id` always. All, if left out.');

/** The names in `fields` that are members of a listing, and a notice about any others, which repeats none of them. */
export function readFields(names = ''): { known: readonly string[]; fieldsNotice: { notice?: string } } {
  const all = names.split(',').flatMap((name) => name.trim() || []);
  const known = all.filter((name) => Object.hasOwn(listingView.shape, name));
  const notice = 'Names in `fields` that are no members of a listing were ignored.';
  return { known, fieldsNotice: known.length < all.length ? { notice } : {} };
}

const counted = z.array(z.object({ count: z.int(), value: z.string() }));

export const facetsView = z
  .object({
    category: counted,
    price: z
      .array(z.object({ count: z.int(), maxCents: z.int().nullable(), minCents: z.int() }))
      .describe('Bands; 0 to 0 is free.'),
    quality: z
      .array(z.object({ count: z.int(), minRating: z.int() }))
      .describe('How many are left with `min_rating`.'),
    rail: counted.describe('card, wallet and x402, whose limits the price fits; or free.'),
    vertical: counted,
  })
  .describe('With `facets`: exact counts of all that match.');

/** What a search for words says of itself. */
export const searchFields = {
  correctedQuery: z
    .string()
    .optional()
    .describe(
      'The text that was searched for, where words of `q` that no listing has were replaced by similar ones.',
    ),
  matched: z
    .enum(['all', 'any'])
    .optional()
    .describe(
      'With `q`. all: title or description of each listing holds every word. any: no listing does, and these, by ' +
        'relevance, hold some of them there, in tags, or in the words of their vertical.',
    ),
};

export const suggestionsView = z
  .array(z.object({ leaveOut: z.array(z.string()), set: z.record(z.string(), z.string()), text: z.string() }))
  .describe('What to try where nothing was found: parameters to leave out or to set.');

// What narrows a search, in browsing and in alerts alike.

export const category = categorySlug.optional().describe('Macro-category.');

export const vertical = z
  .string()
  .max(64)
  .refine((slug) => verticalBySlug(slug) !== undefined, 'No vertical has this slug; see GET /verticals.')
  .optional()
  .describe('Vertical slug.');

export const price = z
  .enum(['all', 'paid', 'free'])
  .default('all')
  .describe('What costs something, or nothing.');
