import type { FieldError } from '../kernel/errors.ts';
import type { IsoTime } from '../kernel/time.ts';

/** What of a consent is more than the form of its fields. */
export interface ConsentGiven {
  readonly allowsResearch: boolean;
  readonly allowsCommercial: boolean;
  readonly allowsAiTraining: boolean;
  readonly sellerState: string;
  readonly waMhmdaAuthorization: boolean;
  readonly ilGipaAuthorization: boolean;
  readonly caCcpaAcknowledgment: boolean;
}

export const AUTHORIZED_USES = ['research', 'commercial', 'ai_training'] as const;
export type AuthorizedUse = (typeof AUTHORIZED_USES)[number];

type StateAddOn = 'caCcpaAcknowledgment' | 'ilGipaAuthorization' | 'waMhmdaAuthorization';

/** Which add-ons this seller must give for this data (clause: health consent object), in order. */
export function requiredAddOns(sellerState: string, subcategory: string): readonly StateAddOn[] {
  switch (sellerState) {
    case 'CA':
      return ['caCcpaAcknowledgment'];
    case 'IL':
      return subcategory === 'genetic-data' ? ['ilGipaAuthorization'] : [];
    case 'WA':
      return ['waMhmdaAuthorization'];
    default:
      return [];
  }
}

export function authorizedUses(consent: ConsentGiven): AuthorizedUse[] {
  const isAllowed = {
    research: consent.allowsResearch,
    commercial: consent.allowsCommercial,
    ai_training: consent.allowsAiTraining,
  };
  return AUTHORIZED_USES.filter((use) => isAllowed[use]);
}

/** What is missing from a consent whose fields are well formed; nothing if it is whole. */
export function consentProblems(consent: ConsentGiven, subcategory: string): FieldError[] {
  const problems: FieldError[] = [];
  if (authorizedUses(consent).length === 0) {
    const message = 'Allow at least one of allowsResearch, allowsCommercial and allowsAiTraining.';
    problems.push({ message, path: 'consent' });
  }
  for (const addOn of requiredAddOns(consent.sellerState, subcategory)) {
    if (consent[addOn]) continue;
    const message = `Must be true for ${subcategory} of a seller in ${consent.sellerState}.`;
    problems.push({ message, path: `consent.${addOn}` });
  }
  return problems;
}

const RETENTION_YEARS = 6;

/** Until when a consent signed then is kept at least (clause: retained for 6 years). */
export function retainUntil(signedAt: IsoTime): IsoTime {
  const moved = yearMoved(signedAt, RETENTION_YEARS);
  // Six years from a leap day there is none.
  return moved.replace('-02-29T', '-03-01T');
}

/** What happened by then is six years old now. For comparing with, not a date to show. */
export function retentionStart(now: IsoTime): IsoTime {
  return yearMoved(now, -RETENTION_YEARS);
}

function yearMoved(time: IsoTime, years: number): IsoTime {
  return String(Number(time.slice(0, 4)) + years).padStart(4, '0') + time.slice(4);
}

/** Of a name; a text without any letter is none. Some scripts need joiners, and nothing else that is not seen. */
export function isName(text: string): boolean {
  return /\p{L}/u.test(text) && !/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/u.test(text);
}
