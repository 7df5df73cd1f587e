import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { listingId } from '../listings/index.ts';
import { findConsent } from './consents.store.ts';
import { healthErrors } from './health.errors.ts';
import { consentRecord } from './health.schema.ts';

/** Clause: health consent object, the notarized record. */
export const getHealthConsent = defineOperation({
  name: 'getHealthConsent',
  summary: 'The signed consent under which personal health data is sold.',
  description:
    'Anyone can check it with POST /verify-receipt. It names its signer by a salted digest only; with the key that listed ' +
    'the data, the answer has the name and the salt as well. Kept for six years from the signature and from the last ' +
    'sale, and as long as the listing is on the market; then it is erased.',
  area: 'Listings',
  auth: 'optional',
  scope: 'read',
  input: z.object({ listingId }),
  output: z.object({
    erasedAt: z.iso.datetime().nullable(),
    fingerprint: z.string().describe("The listing's now; its history links it to the one in the record."),
    listingId: z.uuid(),
    record: consentRecord.nullable().describe('null once it is erased.'),
    retainUntil: z.iso.datetime(),
    signer: z
      .object({ legalName: z.string(), salt: z.uuid() })
      .optional()
      .describe('Only for the signer, until it is erased.'),
  }),
  errors: [healthErrors.not_health_data],
  http: {
    method: 'get',
    path: '/health-data/listings/{id}/consent',
    status: 200,
    names: { listingId: 'id' },
  },
  rate: 'read',
  prefetch: ({ market }, { listingId }) => findConsent(market, listingId),
  async handle({ caller }, { listingId }, consent) {
    if (!consent) throw new Refusal(healthErrors.not_health_data);
    const { erasedAt, fingerprint, record, retainUntil, sellerId, signerLegalName, signerSalt } = consent;
    const isSigner = caller?.agentId === sellerId && signerLegalName !== null && signerSalt !== null;
    return {
      erasedAt,
      fingerprint,
      listingId,
      record,
      retainUntil,
      ...(isSigner ? { signer: { legalName: signerLegalName, salt: signerSalt } } : {}),
    };
  },
});
