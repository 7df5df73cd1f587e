import {
  checkSignatureFields,
  type SignatureFields,
} from '@agent-marketplace/core/kernel/crypto/signed-statement.ts';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/core/kernel/json/strict-json.ts';
import {
  type KeySet,
  verifyAdmission,
  verifyListingHistory,
  verifyPurchaseReceipt,
  verifyRatingAttestation,
  verifyResponse,
  verifyStatement,
} from '@agent-marketplace/sdk';

/** What is held to check against: the keys of the marketplace and of its ingress door, and the door's schedule. */
export interface Standards {
  readonly marketplace: KeySet;
  readonly door: KeySet;
  /** As `GET /ingress/schedule` answers it. */
  readonly schedule: unknown;
}

/** One thing that was signed, and whether it holds. */
export interface Finding {
  readonly what: string;
  readonly holds: boolean;
  /** What follows from it, or why it does not hold. */
  readonly says: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
}

/** What the SDK's checks have in common. */
type Checked =
  | {
      readonly valid: true;
      readonly keyId: string;
      readonly keyStatus: string;
      readonly signedAt: string;
      readonly digest: string;
    }
  | { readonly valid: false; readonly reason: string; readonly detail: string };

// A deliverable that was relayed may be 64 deep by itself, within an answer.
const MAX_DEPTH = 80;

/**
 * Finds everything in a pasted text that the marketplace signed, and checks it with nothing but keys: an answer
 * with its provenance, a purchase, a rating, a statement, a listing's history, a receipt of the door.
 *
 * @returns an empty list if nothing in it is signed; null if it is no JSON object.
 */
export async function examine(text: string, standards: Standards): Promise<readonly Finding[] | null> {
  const parsed = parseStrictJson(text.trim(), { maxDepth: MAX_DEPTH });
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { value } = parsed;
  const found = await Promise.all([
    response(text.trim(), value, standards),
    admission(value, standards),
    purchase(value, standards),
    rating(value, standards),
    ratings(value, standards),
    statement(value, standards),
    history(value, standards),
    bareReceipt(value, standards),
  ]);
  return found.filter((one) => one !== null);
}

async function response(
  text: string,
  value: JsonObject,
  { marketplace, door }: Standards,
): Promise<Finding | null> {
  if (value.provenance === undefined) return null;
  const { receipt } = isJsonObject(value.provenance) ? value.provenance : {};
  const keyId = isJsonObject(receipt) ? String(receipt.keyId) : '';
  const keys = marketplace.get(keyId) ? marketplace : door;
  return finding(
    'Answer of the marketplace',
    await verifyResponse(text, keys),
    'The marketplace gave this answer, and nothing in it was changed since.',
  );
}

async function admission(value: JsonObject, { door, schedule }: Standards): Promise<Finding | null> {
  if (value.type !== 'ADMIT' && value.type !== 'REFUSE') return null;
  return finding(
    'Receipt of the ingress door',
    await verifyAdmission(value, door, schedule),
    value.type === 'ADMIT'
      ? 'The door let this berth in, and its classification follows from the depth by the schedule.'
      : 'The door refused this, for the reason given.',
    scalars(value, ['type', 'code', 'intentClass', 'side', 'expiresAt']),
  );
}

async function purchase(value: JsonObject, { marketplace }: Standards): Promise<Finding | null> {
  if (!isStatement(value.receipt) || typeof value.id !== 'string') return null;
  const checked = await verifyPurchaseReceipt(value, marketplace);
  const content = checked.valid && checked.content === 'matches';
  return finding(
    'Purchase with its receipt',
    checked,
    content
      ? 'The receipt is of this purchase, and the content beside it is what was bought.'
      : 'The receipt is of this purchase. There is no content beside it to compare.',
    statementFacts(value.receipt),
  );
}

async function rating(value: JsonObject, { marketplace }: Standards): Promise<Finding | null> {
  if (!isStatement(value.attestation)) return null;
  const checked = await verifyRatingAttestation(value, marketplace);
  const ofPurchase =
    checked.valid && checked.purchase === 'matches' ? ', of the purchase named beside it' : '';
  return finding(
    'Rating with its attestation',
    checked,
    `A buyer who paid left these stars and this comment${ofPurchase}.`,
    statementFacts(value.attestation),
  );
}

/** Of a list as `GET /marketplace/listings/{id}/ratings` answers it. */
async function ratings(
  { ratings: list, listingId }: JsonObject,
  standards: Standards,
): Promise<Finding | null> {
  if (!Array.isArray(list) || list.length === 0) return null;
  const checked = await Promise.all(
    list.map((one: Json) =>
      verifyRatingAttestation(
        isJsonObject(one) && listingId !== undefined ? { ...one, listingId } : one,
        standards.marketplace,
      ),
    ),
  );
  const bad = checked.find(({ valid }) => !valid);
  return finding(
    `Ratings (${list.length})`,
    bad ?? checked[0] ?? { valid: false, reason: 'malformed', detail: 'There are none.' },
    'Each of them is attested to be left by a buyer who paid.',
  );
}

/** One that stands by itself, or is the receipt of something that is no purchase. */
async function statement(value: JsonObject, { marketplace }: Standards): Promise<Finding | null> {
  const signed = isStatement(value) ? value : value.receipt;
  if (!isStatement(signed) || (signed === value.receipt && typeof value.id === 'string')) return null;
  const type = String(signed.statement.type);
  return finding(
    `Statement: ${type.replaceAll('_', ' ')}`,
    await verifyStatement(signed, marketplace, type),
    'The marketplace stated this, and nothing in it was changed since.',
    statementFacts(signed),
  );
}

async function history(
  { entries, listingId }: JsonObject,
  { marketplace }: Standards,
): Promise<Finding | null> {
  if (!Array.isArray(entries) || typeof listingId !== 'string') return null;
  const checked = await verifyListingHistory(listingId, entries, marketplace);
  const what = `History of a listing (${entries.length})`;
  if (!checked.valid)
    return { what, holds: false, says: checked.detail, facts: [['Reason', words(checked.reason)]] };
  return {
    what,
    holds: true,
    says: 'Each entry is signed, and they form one unbroken chain from the first version.',
    facts: [
      ['Newest version', String(checked.version)],
      ['Of', checked.changedAt],
      ['Head of the chain', checked.headDigest],
    ],
  };
}

/** A receipt without what it is about: its signature can be checked, and nothing more be said. */
async function bareReceipt(value: JsonObject, { marketplace, door }: Standards): Promise<Finding | null> {
  const { keyId, signedAt, digest, signature } = value;
  if (isStatement(value) || value.type !== undefined) return null;
  if (typeof keyId !== 'string' || typeof signedAt !== 'string') return null;
  if (typeof digest !== 'string' || typeof signature !== 'string') return null;
  const what = 'Receipt alone';
  // Whatever else stands where the digest belongs was signed by nobody.
  const fields = { keyId, signedAt, digest, signature } as SignatureFields;
  const key = marketplace.get(keyId) ?? door.get(keyId);
  if (!key)
    return { what, holds: false, says: 'No key here has this keyId.', facts: [['Reason', 'unknown key']] };
  const holds = await checkSignatureFields(fields, key.raw).catch(() => false);
  const says = holds
    ? 'Signed by the marketplace. Paste it with what it is about to learn whether that was changed.'
    : 'The signature is not by the named key over this digest and time.';
  return {
    what,
    holds,
    says,
    facts: [
      ['Signed at', signedAt],
      ['Key', keyId],
      ['Digest', digest],
    ],
  };
}

type Statement = JsonObject & { readonly statement: JsonObject };

function isStatement(value: unknown): value is Statement {
  return isJsonObject(value) && isJsonObject(value.statement) && 'signature' in value;
}

const MAX_FACTS = 16;

function statementFacts({ statement }: Statement): (readonly [string, string])[] {
  return scalars(
    statement,
    Object.keys(statement)
      .filter((name) => name !== 'type')
      .slice(0, MAX_FACTS),
  );
}

function scalars(value: JsonObject, names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((name) => {
    const member = Object.hasOwn(value, name) ? value[name] : null;
    return member === null || member === undefined || typeof member === 'object'
      ? []
      : [[name, String(member)] as const];
  });
}

function finding(what: string, checked: Checked, says: string, about: Finding['facts'] = []): Finding {
  if (!checked.valid)
    return { what, holds: false, says: checked.detail, facts: [['Reason', words(checked.reason)]] };
  const key = checked.keyStatus === 'active' ? checked.keyId : `${checked.keyId} (${checked.keyStatus})`;
  const facts = [
    ['Signed at', checked.signedAt],
    ['Key', key],
    ['Digest', checked.digest],
    ...about,
  ] as const;
  return { what, holds: true, says, facts };
}

function words(reason: string): string {
  return reason.replaceAll('_', ' ');
}
