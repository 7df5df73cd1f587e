import * as z from 'zod';
import { setConfigured } from '../demand/index.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';

const output = z.object({ configured: z.boolean() });

/** For the operator: marks the designations as complete. Until then no row is classed as arms-length. */
export const configureDesignations = defineOperation({
  name: 'configureDesignations',
  summary: 'Say whether all agents of the operator and all related ones are designated.',
  description:
    'For the operator. Until this is true no row of the demand ledger is called arms_length and armsLengthCents is 0.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'admin',
  input: z.object({ configured: z.boolean(), reason: reasonField.optional() }),
  output,
  errors: [],
  http: { method: 'patch', path: '/admin/designations', status: 200 },
  rate: 'write',
  replay: 'stored',
  audit: ({ reason }) => ({ subject: { type: 'designations', id: null }, reason }),
  async handle(ctx, { configured }) {
    const setting = { configured };
    await ctx.commit([setConfigured(configured, isoTime(ctx.now))], setting);
    return setting;
  },
});
