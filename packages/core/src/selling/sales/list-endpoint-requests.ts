import * as z from 'zod';
import { explainVerdict, readEndpointRequests, VERDICTS } from '../../delivery/index.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';

/** What a seller sees of how its endpoint answered buyers. */
export const listEndpointRequests = defineOperation({
  name: 'listEndpointRequests',
  summary: 'The last 20 requests of buyers that your endpoint was asked for, newest first.',
  description:
    'Each with what came of it and how long it took; nothing of what was asked or answered. Challenges, probes, free ' +
    'purchases that are read again and POST /sell/listings/{id}/test are not among them.',
  area: 'Selling',
  auth: 'seller',
  scope: 'read',
  input: z.object({}),
  output: z.object({
    requests: z.array(
      z.object({
        at: z.iso.datetime().describe('When the verdict was there.'),
        detail: z.string().describe('The verdict in a sentence.'),
        latencyMs: z.int().nullable().describe('From asking to the verdict. Null: not known.'),
        listingId: z.uuid(),
        redelivery: z.int().describe('0: the first delivery of a purchase.'),
        verdict: z.enum(VERDICTS).describe('Only `delivered` is charged for.'),
      }),
    ),
  }),
  errors: [],
  http: { method: 'get', path: '/sell/callback/requests', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller }) {
    const requests = await readEndpointRequests(market, caller.agentId);
    return {
      requests: requests.map(({ at, latencyMs, listingId, redelivery, verdict }) => ({
        at,
        detail: explainVerdict(verdict),
        latencyMs,
        listingId,
        redelivery,
        verdict,
      })),
    };
  },
});
