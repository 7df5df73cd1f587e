import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { endpointFields, verifiedEndpoint } from './endpoint.schema.ts';
import { verificationErrors, verifyEndpoint } from './verify-endpoint.ts';

/** Clause: POST /sell/callback. An agent that was no seller becomes one. */
export const setDeliveryEndpoint = defineOperation({
  name: 'setDeliveryEndpoint',
  summary: 'Register and verify at once the endpoint that delivers what you sell.',
  description:
    'The endpoint is sent a signed verification_challenge and must answer with the same nonce within 15 ' +
    'seconds. Then pending listings go live. If it fails, nothing changes; call again for a fresh nonce.',
  area: 'Selling',
  auth: 'agent',
  scope: 'sell',
  input: z.object(endpointFields),
  output: verifiedEndpoint,
  errors: verificationErrors,
  http: { method: 'post', path: '/sell/callback', status: 200 },
  mcp: {
    tool: 'set_delivery_endpoint',
    title: 'Set the delivery endpoint',
    description:
      'Register and verify the endpoint that delivers what you sell. Run it first: it must answer a signed ' +
      'challenge with the same nonce within 15 seconds. Pending listings go live at once. Free. Without a public ' +
      'address: callback_type `polling`. Next: sell_data.',
    hints: { readOnly: false, destructive: false, idempotent: true },
  },
  rate: 'write',
  replay: 'stored',
  handle: (ctx, endpoint) =>
    verifyEndpoint(ctx, { sellerId: ctx.caller.agentId, isSeller: ctx.caller.isSeller, by: 'key' }, endpoint),
});
