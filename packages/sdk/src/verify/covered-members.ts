import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** The members that a row of the demand ledger has as its settlement says them. */
export const SETTLEMENT_MEMBERS = [
  'amountCents',
  'createdAt',
  'id',
  'isReferenceListing',
  'platformFeeCents',
  'rail',
  'verticalSlug',
] as const;

/** The same of a row of the affiliated rail and its receipt. */
export const AFFILIATED_MEMBERS = [
  'amountCents',
  'description',
  'id',
  'mode',
  'paidAt',
  'rail',
  'status',
] as const;

/** The members of what a page lists that are compared with its own statements, or are these. */
const COVERED = {
  rating: new Set([
    ...['attestation', 'comment', 'listingId', 'purchaseId', 'rating', 'refunded', 'removed', 'salt'],
  ]),
  'demand row': new Set<string>([
    ...SETTLEMENT_MEMBERS,
    ...['buyer', 'change', 'party', 'seller', 'settlement', 'statementDigest', 'status'],
  ]),
  'affiliated row': new Set<string>([...AFFILIATED_MEMBERS, 'merchant', 'receipt']),
};

/** An agent may change its public name, so that only a label is signed. */
export const isLabel = (name: unknown): name is string =>
  typeof name === 'string' && /^(seller|buyer)-[0-9a-f]{6}$/.test(name);

/** The members that no statement of its own says, whoever signed the page: such as the number of a rating. */
export function uncoveredInList(what: keyof typeof COVERED, shown: JsonObject): string[] {
  const names = Object.keys(shown).filter((name) => !COVERED[what].has(name));
  if (what !== 'demand row') return names.sort();
  const hasPublicName = (name: 'buyer' | 'seller') =>
    name in shown && shown[name] !== 'anonymous' && !isLabel(shown[name]);
  return [...names, ...(['buyer', 'seller'] as const).filter(hasPublicName)].sort();
}
