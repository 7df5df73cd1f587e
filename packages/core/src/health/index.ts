/** Personal health data: sold by the person it is about, under a signed consent, to buyers who attest. */

export { eraseExpiredConsents } from './erase-expired-consents.ts';
export { getHealthConsent } from './get-health-consent.ts';
export { getHealthTerms } from './get-health-terms.ts';
export { healthErrors } from './health.errors.ts';
export { type HealthAttestation, healthAttestation } from './health.schema.ts';
export { INTENDED_USES, type IntendedUse } from './intended-use.rules.ts';
export { listHealthAttestations } from './list-health-attestations.ts';
export { listHealthData } from './list-health-data.ts';
export { searchHealthData } from './search-health-data.ts';
export {
  type AttestationGiven,
  attestationProblems,
  requireAuthorizedUse,
  signAttestation,
} from './sign-attestation.ts';
