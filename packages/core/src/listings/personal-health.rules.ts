import { PERSONAL_HEALTH_VERTICAL_SLUG } from '../catalogue/catalogue.data.ts';

/** The lowest price of personal health data (clause: Limits). */
export const HEALTH_MIN_PRICE_CENTS = 500;

export const NAME_REMOVED_MESSAGE = 'It contains the name that deidentificationLevel says is removed.';

/**
 * Whether a listing is personal health data: it is listed with a signed consent only, bought with an attestation
 * only, and never in bulk, by offer or through x402. The platform's own sample counts, so that buyers can try the
 * rules on it.
 */
export function isPersonalHealth({ verticalSlug }: { readonly verticalSlug: string }): boolean {
  return verticalSlug === PERSONAL_HEALTH_VERTICAL_SLUG;
}

/** Why a change of a health listing cannot be saved; null if it can. */
export function healthChangeProblem(changed: {
  readonly verticalSlug: string;
  readonly isSample: boolean;
  readonly priceCents: number;
  readonly status: string;
  readonly healthConsentVerified: boolean;
}): 'price_too_low' | 'consent_erased' | null {
  if (!isPersonalHealth(changed) || changed.isSample) return null;
  if (changed.priceCents < HEALTH_MIN_PRICE_CENTS) return 'price_too_low';
  return changed.status !== 'inactive' && !changed.healthConsentVerified ? 'consent_erased' : null;
}
