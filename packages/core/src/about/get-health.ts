import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';

/** Liveness: a Worker runs, read its configuration and signs. Asks no database. */
export const getHealth = defineOperation({
  name: 'getHealth',
  summary: 'Whether the API answers at all.',
  description:
    'For whoever watches from outside. It asks nothing else: an operator reads how each part is at GET /admin/health.',
  area: 'Meta',
  auth: 'none',
  input: z.object({}),
  output: z.object({ at: z.iso.datetime(), status: z.literal('ok') }),
  errors: [],
  http: { method: 'get', path: '/health', status: 200 },
  rate: 'read',
  handle: async ({ now }) => ({ at: isoTime(now), status: 'ok' as const }),
});
