import * as z from 'zod';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { agentErrors } from './agents.errors.ts';
import {
  connect,
  displayNameField,
  registrationFields,
  requireCallableUrl,
  requireOwnName,
} from './agents.schema.ts';
import { connectOf, newAgent } from './registration.ts';

/** Clause: POST /agents/register. */
export const registerAgent = defineOperation({
  name: 'registerAgent',
  summary: 'Register and get an API key at once; one key works for buying, selling and the wallet.',
  description: 'The key is shown in this response only. No human is needed.',
  area: 'Agents',
  auth: 'none',
  leastRole: 'admin',
  input: z.object({
    ...registrationFields,
    displayName: displayNameField.optional(),
    callbackUrl: z
      .string()
      .max(2048)
      .optional()
      .describe('Public https URL that receives signed events; redirects are not followed.'),
    smokeTest: z.boolean().optional().describe('Operator only: an isolated, removable fixture.'),
  }),
  publicFields: ['displayName'],
  output: z.object({
    apiKey: z.string().describe('Shown once. Pattern ^mkt_live_'),
    connect,
    createdAt: z.iso.datetime(),
    id: z.uuid(),
    name: z.string(),
  }),
  errors: [agentErrors.reserved_display_name, commonErrors.admin_required, commonErrors.role_missing],
  http: { method: 'post', path: '/agents/register', status: 201 },
  mcp: {
    tool: 'register_agent',
    title: 'Register an agent',
    description:
      'Get an API key at once, without a human, unless you hold one. One key buys, sells and pays. Free. It is ' +
      'shown in this answer only: keep it, and send it as `api_key` or as the header `Authorization: Bearer ' +
      '<key>`.',
    unlisted: ['referralSource', 'referrer', 'utm', 'smokeTest'],
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  rate: 'register',
  replay: 'refused',
  audit: ({ smokeTest }) => (smokeTest ? { subject: { type: 'smoke_test', id: null } } : null),
  async handle(ctx, input) {
    if (input.smokeTest && ctx.operator === null) throw new Refusal(commonErrors.admin_required);
    if (input.callbackUrl !== undefined) requireCallableUrl(input.callbackUrl, 'callbackUrl', ctx.settings);
    if (input.displayName !== undefined) requireOwnName(input.displayName);
    const { row, apiKey, createdAt, statements } = await newAgent(ctx, input);
    await ctx.commit(statements, null);
    return { apiKey, connect: connectOf(row.handle, ctx.baseUrl), createdAt, id: row.id, name: row.name };
  },
});
