import * as z from 'zod';
import { countListings, verticalBySlug, verticalView, viewVertical } from '../catalogue/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';
import { browseDocuments, listingsOfPage } from '../search/index.ts';
import { fields, readFields } from './browse/search.schema.ts';
import { listingErrors } from './listings.errors.ts';
import { AGENT_NOTICE, type ListingView, listingPage, samples } from './listings.schema.ts';

/** Clause: GET /verticals/{slug}. */
export const getVertical = defineOperation({
  name: 'getVertical',
  summary: 'One vertical with its listings, newest first.',
  description:
    'As browsing with this vertical does, it leaves out reference listings unless `samples` asks for them.',
  area: 'Catalogue',
  auth: 'none',
  input: z.object({ slug: z.string().max(64), fields, samples, ...pageFields }),
  advisoryFields: ['samples'],
  output: listingPage.extend({ vertical: verticalView }),
  errors: [listingErrors.vertical_not_found],
  http: { method: 'get', path: '/verticals/{slug}', status: 200 },
  rate: 'read',
  lag: 'The numbers of listings.',
  cache: { freshSeconds: 0, staleIfErrorSeconds: 3600 },
  async handle({ ports }, { slug, fields, samples, limit, offset }) {
    const vertical = verticalBySlug(slug);
    if (!vertical) throw new Refusal(listingErrors.vertical_not_found);
    const filter = { words: null, vertical: slug, samples, unreachable: 'exclude', price: 'all' } as const;
    const [found, counts] = await Promise.all([
      browseDocuments(ports.search, filter, 'recent', { limit, offset }),
      countListings(ports.search),
    ]);
    const { known, fieldsNotice } = readFields(fields);
    return {
      agent_notice: AGENT_NOTICE,
      limit,
      listings: listingsOfPage<ListingView>(found, known),
      ...fieldsNotice,
      offset,
      total: found.total,
      vertical: viewVertical(vertical, counts),
    };
  },
});
