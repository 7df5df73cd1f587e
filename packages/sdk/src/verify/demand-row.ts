import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { KeySet } from '../keys.ts';
import { AFFILIATED_MEMBERS, isLabel, SETTLEMENT_MEMBERS } from './covered-members.ts';
import { verifyStatement } from './statement.ts';
import { type Invalid, invalid, type Verification } from './verification.ts';

/** What a row of the demand ledger says otherwise than its settlement, in words; null: nothing. */
export function demandRowFault(row: object, settlement: object): string | null {
  const shown = row as JsonObject;
  const { digest, statement } = settlement as { readonly digest: unknown; readonly statement: JsonObject };
  const differs: string[] = SETTLEMENT_MEMBERS.filter((member) => shown[member] !== statement[member]);
  const { seller, buyer } = statement;
  const isOtherAgent =
    (shown.buyer === 'anonymous') !== (buyer === 'anonymous') ||
    isOtherLabel(shown.seller, seller) ||
    isOtherLabel(shown.buyer, buyer);
  if (isOtherAgent) differs.push('seller or buyer');
  if (differs.length === 0 && shown.statementDigest === digest) return null;
  return `Another ${differs.join(', ') || 'digest'} was signed than the row shows.`;
}

/** The same of a row of the affiliated rail and its receipt. */
export function affiliatedRowFault(
  row: object,
  { statement }: { readonly statement: object },
): string | null {
  const [shown, signed] = [row as JsonObject, statement as JsonObject];
  const isSame =
    isJsonObject(signed.merchant) &&
    signed.merchant.name === shown.merchant &&
    AFFILIATED_MEMBERS.every((member) => signed[member] === shown[member]);
  return isSame ? null : 'The row says otherwise than its receipt.';
}

/** A label is the beginning of the pseudonym. A public name is not signed: the agent may change it. */
const isOtherLabel = (shown: unknown, pseudonym: unknown) =>
  isLabel(shown) && !String(pseudonym).startsWith(shown);

/** The party that a row shows where this one was signed of it. */
export function partyOf(signed: string, isConfigured: boolean): string {
  if (signed === 'anonymous' || signed === 'apart') return 'unclassified';
  return signed === 'arms_length' && !isConfigured ? 'unclassified' : signed;
}

/** Of `status` and `party`, those that the row says otherwise than what was signed of it last. */
function unsignedState(row: JsonObject, signed: JsonObject, isConfigured: boolean): string[] {
  const { status, party } = signed.statement as JsonObject;
  const isParty = row.party === undefined || row.party === partyOf(String(party), isConfigured);
  return [
    ...(row.status === undefined || row.status === status ? [] : ['status']),
    ...(isParty ? [] : ['party']),
  ];
}

/**
 * Checks a row of `GET /proof/demand`, of those that left the ledger as well: that both statements are signed and of one
 * settlement, and that the row says what was signed of it.
 *
 * @param isConfigured whether the page says so of its `armsLengthClassification`.
 * @returns with `unsigned`: what of its `status` and `party` the page alone says. A change is signed within the minute, one of the
 * party alone within days.
 */
export async function verifyDemandRow(
  row: JsonObject,
  keys: KeySet,
  isConfigured = true,
): Promise<Verification<{ readonly unsigned: readonly string[] }>> {
  const { settlement, change } = row;
  let last: Verification | null = null;
  for (const [signed, type] of [
    [settlement, 'settlement'],
    [change, 'settlement_change'],
  ] as const) {
    if (signed === null || signed === undefined) continue;
    last = await verifyStatement(signed, keys, type);
    if (!last.valid) return last;
  }
  if (last === null) return altered('The row names a statement that it does not show.');
  const signed = isJsonObject(change) ? change : (settlement as JsonObject);
  // Of a removed row the statements alone are shown.
  const isShown = Object.keys(row).some((name) => name !== 'settlement' && name !== 'change');
  const valid = { ...last, unsigned: isShown ? unsignedState(row, signed, isConfigured) : [] };
  if (!isJsonObject(settlement))
    return isShown ? altered('The row does not show what was signed of its sale.') : valid;
  if (isJsonObject(change) && (change.statement as JsonObject).settlement !== settlement.digest)
    return altered('The change is of another settlement.');
  const fault = isShown ? demandRowFault(row, settlement) : null;
  return fault === null ? valid : altered(fault);
}

/** Checks a row of the affiliated rail: that its receipt is signed, and says what the row says. */
export async function verifyAffiliatedRow(row: JsonObject, keys: KeySet): Promise<Verification> {
  const checked = await verifyStatement(row.receipt, keys, 'affiliated_receipt');
  if (!checked.valid) return checked;
  const fault = affiliatedRowFault(row, checked);
  return fault === null ? checked : altered(fault);
}

const altered = (detail: string): Invalid => invalid('wrong_row', detail);
