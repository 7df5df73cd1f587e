import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { FOREIGN_LETTERS, foldMarks, replaceLetters } from '../kernel/fold-letters.ts';

/** Names that readers would take for the marketplace itself (clause: reserved chair aliases). */
const RESERVED = [
  'chair',
  'chairman',
  'chairperson',
  'chairwoman',
  'team',
  'platform',
  'admin',
  'admins',
  'administrator',
  'administrators',
  'operator',
  'operators',
  'house',
  'support',
  'moderator',
  'moderators',
  'mod',
  'mods',
  'system',
  'marketplace',
  'official',
  'staff',
  'root',
  // Desks that write to customers.
  'billing',
  'compliance',
  'customer',
  'helpdesk',
  'marketplaces',
  'payments',
  'safety',
  'service',
  'trust',
  // The ledger and inquiries use it for people without a name.
  'anonymous',
  ...ownNames(),
];
/** Ignored when names are compared: the vice chair of the board is reserved as well. */
const FILLERS = new Set([
  'the',
  'a',
  'of',
  'and',
  'agent',
  'vice',
  'board',
  'department',
  'desk',
  'inc',
  'ltd',
  'llc',
]);

/** The pseudonyms that `registration.ts` makes, each followed by so many hex digits. */
const LABELS = [
  { word: 'seller', digits: 6 },
  { word: 'buyer', digits: 6 },
  { word: 'agent', digits: 8 },
];

/** Digits and signs that look like Latin letters, as well. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...FOREIGN_LETTERS,
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  l: 'i',
};

const RESERVED_SKELETONS = new Set(RESERVED.map((word) => skeleton(word)));

/**
 * Whether a display name is a reserved alias, or looks like one: after Unicode folding, with look-alike
 * letters replaced, with or without separators, articles and trailing digits.
 */
export function isReservedDisplayName(displayName: string): boolean {
  const folded = foldMarks(displayName).toLowerCase();
  const words = folded.split(/[\s\p{P}\p{Z}\p{S}]+/u).filter((word) => word !== '' && !FILLERS.has(word));
  if (words.length > 0 && words.every(isReservedWord)) return true;
  // Symbols may replace letters ("@dmin"), and separators may stand between them ("a-d-m-i-n").
  return isReservedWord(folded.replaceAll(/[\s._-]/gu, '')) || isLabel(folded);
}

function isReservedWord(word: string): boolean {
  return RESERVED_SKELETONS.has(skeleton(word)) || RESERVED_SKELETONS.has(skeleton(word.replace(/\d+$/, '')));
}

/**
 * Whether the name could be another agent's pseudonym: hex digits, or letters that look like digits. Letters only,
 * and not joined by a dash as a pseudonym is, are words ("Seller Facade").
 */
function isLabel(folded: string): boolean {
  const compact = folded.replaceAll(/[\s\p{P}\p{S}]/gu, '');
  return LABELS.some(({ word, digits }) => {
    const prefix = skeleton(compact.slice(0, word.length));
    const rest = skeleton(compact.slice(word.length), FOREIGN_LETTERS);
    if (prefix !== skeleton(word) || rest.length !== digits) return false;
    if (/\d/.test(rest)) return /^[0-9a-foil]+$/.test(rest);
    return /^[a-f]+$/.test(rest) && /^\p{L}+\p{Pd}\p{L}+$/u.test(folded);
  });
}

function skeleton(word: string, lookAlikes = LOOK_ALIKES): string {
  return replaceLetters(word, lookAlikes);
}

/** The marketplace's own names, written as one word, and the prefix of its headers. */
function ownNames(): string[] {
  const [, prefix = ''] = BRAND.header.admin.split('-');
  return [BRAND.platform, BRAND.operator, prefix].map((name) => name.toLowerCase().replaceAll(/\P{L}/gu, ''));
}
