import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { VERTICALS } from './catalogue.data.ts';
import { verticalRows, verticalView, viewVertical } from './catalogue.schema.ts';
import { countListings } from './counts.store.ts';

/** Clause: GET /verticals. */
export const listVerticals = defineOperation({
  name: 'listVerticals',
  summary: 'Every vertical, with how many listings it has.',
  area: 'Catalogue',
  auth: 'none',
  input: z.object({}),
  output: z.object({ verticals: z.array(verticalView) }),
  errors: [],
  http: { method: 'get', path: '/verticals', status: 200 },
  mcp: {
    tool: 'list_verticals',
    title: 'List verticals',
    description:
      'Every vertical (market segment): the slugs that browse_marketplace and sell_data take as `vertical`, each ' +
      'with its number of listings. Free, no key.',
    answer: { lists: [verticalRows] },
    hints: { readOnly: true, destructive: false, idempotent: true },
  },
  rate: 'read',
  lag: 'The numbers of listings.',
  cache: { freshSeconds: 5, staleIfErrorSeconds: 86_400 },
  prefetch: ({ search }) => countListings(search),
  handle: async (_ctx, _input, counts) => ({
    verticals: VERTICALS.map((vertical) => viewVertical(vertical, counts)),
  }),
});
