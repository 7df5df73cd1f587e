import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { HEALTH_TERMS } from './health-terms.data.ts';
import { termsDigest } from './sign-consent.ts';

const texts = z.record(z.string(), z.string());

/** Clause: health consent object and buyer attestation; the texts that their signatures are under. */
export const getHealthTerms = defineOperation({
  name: 'getHealthTerms',
  summary: 'The texts that sellers consent to and buyers attest to, with their version and digest.',
  area: 'Listings',
  auth: 'none',
  input: z.object({}),
  output: z.object({
    terms: z.object({ attestation: texts, consent: texts, version: z.int() }),
    termsDigest: z.string().describe('sha256:<hex> over the RFC 8785 form of `terms`.'),
  }),
  errors: [],
  http: { method: 'get', path: '/health-data/terms', status: 200 },
  rate: 'read',
  cache: { freshSeconds: 300, staleIfErrorSeconds: 86_400 },
  async handle() {
    const { attestation, consent, version } = HEALTH_TERMS;
    return { terms: { attestation, consent, version }, termsDigest: await termsDigest() };
  },
});
