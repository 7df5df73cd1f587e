import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { buyerLabelOf } from '../agents/index.ts';
import { type FieldError, Refusal } from '../kernel/errors.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { Listing } from '../listings/index.ts';
import { healthErrors } from './health.errors.ts';
import type { HealthAttestation } from './health.schema.ts';
import { HEALTH_TERMS } from './health-terms.data.ts';
import { type IntendedUse, isAuthorizedFor, openBoxes } from './intended-use.rules.ts';
import { termsDigest } from './sign-consent.ts';

/** What a buyer sent with its purchase, unchecked. */
export interface AttestationGiven {
  readonly buyerIntendedUse?: IntendedUse | undefined;
  readonly buyerAttestation?: Readonly<Record<string, boolean | undefined>> | undefined;
}

/** What the attestation lacks for a purchase of personal health data; empty if it is complete. */
export function attestationProblems({ buyerIntendedUse, buyerAttestation }: AttestationGiven): FieldError[] {
  const problems: FieldError[] = [];
  if (buyerIntendedUse === undefined) problems.push({ message: 'Required.', path: 'buyerIntendedUse' });
  for (const box of openBoxes(buyerAttestation)) {
    problems.push({ message: 'Must be true.', path: `buyerAttestation.${box}` });
  }
  return problems;
}

/** Throws unless the seller authorized the use. A sample is about no person, so its use is not limited. */
export function requireAuthorizedUse(
  { isSample, authorizedUses }: Pick<Listing, 'isSample' | 'authorizedUses'>,
  use: IntendedUse,
): void {
  const authorized = Array.isArray(authorizedUses) ? authorizedUses.map(String) : [];
  if (isSample || isAuthorizedFor(use, authorized)) return;
  const message = `Authorized here: ${authorized.join(', ')}.`;
  throw new Refusal(healthErrors.intended_use_not_authorized, {
    fields: [{ message, path: 'buyerIntendedUse' }],
  });
}

interface PromisedPurchase {
  readonly id: string;
  readonly buyerId: string | null;
  readonly email: string | null;
  readonly createdAt: IsoTime;
}

/** Signs a complete attestation for the purchase that is about to be made. */
export async function signAttestation(
  ports: Pick<Ports, 'signer' | 'keyedHash'>,
  listing: Listing,
  purchase: PromisedPurchase,
  intendedUse: IntendedUse,
): Promise<HealthAttestation> {
  const { authorizedUses } = listing;
  // Whoever has no agent is known by its address; the label tells it to nobody.
  const buyer = purchase.buyerId ?? purchase.email?.toLowerCase() ?? null;
  return signStatement(
    ports.signer,
    {
      acceptUseTerms: true as const,
      attestedAt: purchase.createdAt,
      authorizedUses: Array.isArray(authorizedUses) ? authorizedUses.map(String) : [],
      buyer: buyer === null ? null : await buyerLabelOf(ports, buyer),
      fingerprint: listing.fingerprint,
      intendedUse,
      listingId: listing.id,
      listingVersion: listing.version,
      noReidentification: true as const,
      notForDiscrimination: true as const,
      notForEmployment: true as const,
      notForInsurance: true as const,
      purchaseId: purchase.id,
      sellerId: listing.seller.id,
      termsDigest: await termsDigest(),
      termsVersion: HEALTH_TERMS.version,
      type: 'health_attestation' as const,
    },
    purchase.createdAt,
  );
}
