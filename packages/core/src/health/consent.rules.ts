import type { FieldError } from '../kernel/errors.ts';
import type { IsoTime } from '../kernel/time.ts';

/** The fields of a consent that depend on each other. */
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

/** What a consent with well-formed fields lacks; empty if it is complete. */
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

/** Until when a consent must be kept (clause: retained for 6 years). */
export function retainUntil(signedAt: IsoTime): IsoTime {
  const moved = yearMoved(signedAt, RETENTION_YEARS);
  // Six years after 29 February that day does not exist.
  return moved.replace('-02-29T', '-03-01T');
}

/** Everything up to this time is six years old. It is for comparison, not a date to show. */
export function retentionStart(now: IsoTime): IsoTime {
  return yearMoved(now, -RETENTION_YEARS);
}

function yearMoved(time: IsoTime, years: number): IsoTime {
  return String(Number(time.slice(0, 4)) + years).padStart(4, '0') + time.slice(4);
}

/** A name has a letter. Some scripts need joiners; other invisible characters are refused. */
export function isName(text: string): boolean {
  return /\p{L}/u.test(text) && !/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/u.test(text);
}
