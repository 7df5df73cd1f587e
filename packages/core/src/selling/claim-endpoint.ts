import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { endpointFields, verifiedEndpoint } from './endpoint.schema.ts';
import { claimErrors, requireClaim } from './payouts/require-claim.ts';
import { sellingErrors } from './selling.errors.ts';
import { verificationErrors, verifyEndpoint } from './verify-endpoint.ts';

/** The claim page's first step. The link replaces the seller's API key. */
export const claimEndpoint = defineOperation({
  name: 'claimEndpoint',
  summary: 'Register and verify a delivery endpoint by claim link.',
  description:
    'As POST /sell/callback, for the person who was sent a claimUrl and holds no API key. The link sets the first ' +
    'endpoint of a seller and never replaces one: that takes the key.',
  area: 'Selling',
  auth: 'none',
  input: z.object({
    token: z.string().max(200).describe('The last part of the claimUrl.'),
    ...endpointFields,
  }),
  output: verifiedEndpoint,
  errors: [...claimErrors, sellingErrors.endpoint_already_set, ...verificationErrors],
  http: { method: 'post', path: '/sell/claims/{token}/callback', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { token, ...endpoint }) {
    const claim = await requireClaim(ctx, token);
    return verifyEndpoint(ctx, { sellerId: claim.sellerId, isSeller: true, by: 'claim_link' }, endpoint);
  },
});
