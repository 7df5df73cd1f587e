import * as z from 'zod';
import { DESIGNATIONS, readDesignations } from '../demand/index.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';

/** For the operator: the agents that were designated, and as what. */
export const listDesignations = defineOperation({
  name: 'listDesignations',
  summary: 'Agents of the operator and agents related to it, as designated, the latest first.',
  description: 'For the operator. The demand ledger takes the party of its rows from here.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object(pageFields),
  output: z.object({
    configured: z.boolean(),
    configuredAt: z.iso.datetime().nullable(),
    designations: z.array(
      z.object({
        agentId: z.uuid(),
        designatedAt: z.iso.datetime(),
        note: z.string().nullable(),
        party: z.enum(DESIGNATIONS),
      }),
    ),
    limit: z.int(),
    offset: z.int(),
    total: z.int(),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/designations', status: 200 },
  rate: 'read',
  async handle(ctx, page) {
    const { configuredAt, designations, total } = await readDesignations(ctx.ports.market, page);
    return { configured: configuredAt !== null, configuredAt, designations, ...page, total };
  },
});
