import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';
import { readSmokeTests } from './smoke-tests.store.ts';

/** For the operator: the smoke-test agents that are not removed yet. */
export const listSmokeTests = defineOperation({
  name: 'listSmokeTests',
  summary: 'Smoke-test agents, the newest first.',
  description:
    'For the operator. They were registered with `smokeTest`, and are in no list and no count but this.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object(pageFields),
  output: z.object({
    limit: z.int(),
    offset: z.int(),
    smokeTests: z.array(
      z.object({
        agentId: z.uuid(),
        createdAt: z.iso.datetime(),
        handle: z.string(),
        name: z.string(),
      }),
    ),
    total: z.int(),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/smoke-tests', status: 200 },
  rate: 'read',
  async handle(ctx, page) {
    const { smokeTests, total } = await readSmokeTests(ctx.ports.market, page);
    return { ...page, smokeTests, total };
  },
});
