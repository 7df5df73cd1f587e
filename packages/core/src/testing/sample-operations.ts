import * as z from 'zod';
import { defineErrors } from '../kernel/errors.ts';
import { type AnyOperation, defineOperation } from '../kernel/operation/operation.ts';

/** Text that must arrive on a page as text, and in source code as a comment. */
export const HOSTILE = `"'><script>alert(1)</script><!-- */ \`&amp;`;

const errors = defineErrors({
  sample_missing: { kind: 'not_found', title: `No sample ${HOSTILE}`, remedy: HOSTILE, retryable: false },
  sample_stale: { kind: 'conflict', title: 'The sample changed.', remedy: 'Read it again.' },
});

const folder: z.ZodType = z.object({
  name: z.string(),
  get folders() {
    return z.array(folder);
  },
});

const never = async (): Promise<never> => {
  throw new Error('Samples are described, not called.');
};

/** Operations with every trait that the documents have to tell of. */
export const sampleOperations: readonly AnyOperation[] = [
  defineOperation({
    name: 'changeSample',
    summary: `Change ${HOSTILE}`,
    description: HOSTILE,
    area: 'Selling',
    auth: 'seller',
    scope: 'sell',
    input: z.object({
      sampleId: z.uuid(),
      priceCents: z.int().min(0).max(100).describe(HOSTILE),
      requestClass: z.enum(['A', HOSTILE]).describe('Its class.'),
      tags: z.array(z.object({ key: z.string(), text: z.string().nullable().default("it's") })).optional(),
      note: z.json().optional(),
      [`odd name ${HOSTILE}`]: z.string().optional(),
    }),
    output: z.object({ folder, sampleId: z.uuid() }),
    errors: [errors.sample_missing, errors.sample_stale],
    http: {
      method: 'patch',
      path: '/samples/{id}',
      status: 200,
      names: { sampleId: 'id', priceCents: 'price_cents' },
      headers: { requestClass: 'X-Class' },
    },
    rate: 'write',
    replay: 'stored',
    handle: never,
  }),
  defineOperation({
    name: 'findSamples',
    summary: 'Find samples.',
    area: 'Listings',
    auth: 'optional',
    scope: 'read',
    input: z.object({ minRating: z.int().min(1).max(5), q: z.string().max(20).default('a') }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('none'), reason: z.string() }),
      z.object({ kind: z.literal('some'), samples: z.array(z.string()) }),
    ]),
    errors: [],
    http: { method: 'get', path: '/samples', status: 200, names: { minRating: 'min_rating' } },
    rate: 'read',
    cache: { freshSeconds: 5, staleIfErrorSeconds: 60 },
    handle: never,
  }),
  defineOperation({
    name: 'dropSample',
    summary: 'Drop a sample.',
    area: 'Selling',
    auth: 'agent',
    scope: 'manage',
    input: z.object({ id: z.string() }),
    output: z.looseObject({ done: z.boolean() }),
    errors: [errors.sample_missing],
    http: { method: 'delete', path: '/samples/{id}', status: 202 },
    rate: 'write',
    replay: 'refused',
    movesMoney: true,
    handle: never,
  }),
];
