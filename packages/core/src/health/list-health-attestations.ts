import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';
import { listingErrors, listingId } from '../listings/index.ts';
import { findConsent, readAttestations } from './consents.store.ts';
import { healthErrors } from './health.errors.ts';
import { healthAttestation } from './health.schema.ts';

/** Clause: purchase of a personal-health listing, buyer_attestation; as its seller sees it. */
export const listHealthAttestations = defineOperation({
  name: 'listHealthAttestations',
  summary: 'What the buyers of your health data signed: their use, and what they will not do.',
  description: 'For the seller of the listing. Newest first; each can be checked with POST /verify-receipt.',
  area: 'Selling',
  auth: 'agent',
  scope: 'read',
  input: z.object({ listingId, ...pageFields }),
  output: z.object({
    attestations: z.array(healthAttestation),
    limit: z.int(),
    offset: z.int(),
    total: z.int(),
  }),
  errors: [healthErrors.not_health_data, listingErrors.not_listing_owner],
  http: {
    method: 'get',
    path: '/health-data/listings/{id}/attestations',
    status: 200,
    names: { listingId: 'id' },
  },
  rate: 'read',
  prefetch: ({ market }, { listingId }) => findConsent(market, listingId),
  async handle({ ports, caller }, { listingId, limit, offset }, consent) {
    if (!consent) throw new Refusal(healthErrors.not_health_data);
    if (consent.sellerId !== caller.agentId) throw new Refusal(listingErrors.not_listing_owner);
    const { attestations, total } = await readAttestations(ports.market, listingId, { limit, offset });
    return { attestations, limit, offset, total };
  },
});
