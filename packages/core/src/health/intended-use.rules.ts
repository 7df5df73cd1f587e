import { AUTHORIZED_USES, type AuthorizedUse } from './consent.rules.ts';

/** Clause: purchase, buyer_intended_use. */
export const INTENDED_USES = [
  'academic_research',
  'commercial_research',
  'ai_training',
  'personal_educational',
  'other',
] as const;
export type IntendedUse = (typeof INTENDED_USES)[number];

/** Clause: purchase, buyer_attestation. */
export const ATTESTATIONS = [
  'acceptUseTerms',
  'noReidentification',
  'notForDiscrimination',
  'notForEmployment',
  'notForInsurance',
] as const;

/**
 * What a seller must have authorized for a use. Personal education is within any authorization; `other` could be
 * anything, so it needs all of them.
 */
const NEEDED: Readonly<Record<IntendedUse, readonly AuthorizedUse[]>> = {
  academic_research: ['research'],
  commercial_research: ['commercial'],
  ai_training: ['ai_training'],
  personal_educational: [],
  other: AUTHORIZED_USES,
};

/** Whether data with these authorized uses may be bought for this use. */
export function isAuthorizedFor(use: IntendedUse, authorized: readonly string[]): boolean {
  return NEEDED[use].every((needed) => authorized.includes(needed));
}

/** The statements that a buyer has not attested. */
export function openBoxes(attestation: Readonly<Record<string, boolean | undefined>> | undefined): string[] {
  return ATTESTATIONS.filter((box) => attestation?.[box] !== true);
}
