import { canonicalDigest, type Digest, sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { type SignedStatement, signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { IsoTime } from '../kernel/time.ts';
import { authorizedUses, requiredAddOns, retainUntil } from './consent.rules.ts';
import type { ConsentRecord, HealthConsent } from './health.schema.ts';
import { HEALTH_TERMS } from './health-terms.data.ts';

type ConsentStatement = ConsentRecord['statement'];

/** A consent as it is kept: the record that may be shown, and what opens the digest of its signer's name. */
export interface SignedConsent {
  readonly record: SignedStatement<ConsentStatement>;
  readonly signerLegalName: string;
  readonly signerSalt: string;
}

/** The listing that is consented to, as it is written in the same transaction. */
export type ConsentedListing = Pick<
  ConsentStatement,
  'fingerprint' | 'sellerId' | 'subcategory' | 'dataDate' | 'dataFormat'
> & { readonly id: string; readonly createdAt: IsoTime };

export function termsDigest(): Promise<Digest> {
  return canonicalDigest(HEALTH_TERMS);
}

/** Signs a whole consent, at the time of its listing. */
export async function signConsent(
  { ids, signer }: Pick<Ports, 'ids' | 'signer'>,
  listing: ConsentedListing,
  consent: HealthConsent,
): Promise<SignedConsent> {
  const { signerLegalName, sellerState } = consent;
  const { subcategory, createdAt: signedAt } = listing;
  // Names are few and guessed easily: without the salt their digests would tell them.
  const signerSalt = ids.uuid();
  const addOns = requiredAddOns(sellerState, subcategory);
  const statement: ConsentStatement = {
    authorizations: {
      caCcpaAcknowledgment: addOns.includes('caCcpaAcknowledgment'),
      ilGipaAuthorization: addOns.includes('ilGipaAuthorization'),
      waMhmdaAuthorization: addOns.includes('waMhmdaAuthorization'),
    },
    authorizedUses: authorizedUses(consent),
    containsOnlyOwn: true,
    dataDate: listing.dataDate,
    dataFormat: listing.dataFormat,
    dataIsOwn: true,
    deidentificationLevel: consent.deidentificationLevel,
    fingerprint: listing.fingerprint,
    listingId: listing.id,
    notCoveredEntity: true,
    ownsData: true,
    retainUntil: retainUntil(signedAt),
    saleTermsAccepted: true,
    sellerId: listing.sellerId,
    sellerState,
    signedAt,
    signerNameDigest: await sha256Digest(`${signerSalt}.${signerLegalName}`),
    subcategory,
    termsDigest: await termsDigest(),
    termsVersion: HEALTH_TERMS.version,
    type: 'health_consent',
  };
  return { record: await signStatement(signer, statement, signedAt), signerLegalName, signerSalt };
}
