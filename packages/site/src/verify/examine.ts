import {
  checkSignatureFields,
  type SignatureFields,
} from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import {
  type KeySet,
  verifyAdmission,
  verifyListingHistory,
  verifyPurchaseReceipt,
  verifyRatingAttestation,
  verifyResponse,
  verifyStatement,
} from '@agent-marketplace/sdk';
import { money } from '../format/figures.ts';

/** What checks rely on: the keys of the marketplace and of its ingress door, and the door's schedule. */
export interface TrustAnchors {
  readonly marketplace: KeySet;
  readonly door: KeySet;
  /** As `GET /ingress/schedule` answers it. */
  readonly schedule: unknown;
}

/** One signed thing in the text, and whether it is valid. */
export interface Finding {
  readonly title: string;
  readonly isValid: boolean;
  /** What the check proves, or why it failed. */
  readonly message: string;
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

// A relayed deliverable may be 64 levels deep inside of an answer.
export const MAX_DEPTH = 80;

/**
 * Finds everything in a pasted text that the marketplace signed, and checks it offline: an answer
 * with its provenance, a purchase, a rating, a statement, a listing's history, a receipt of the door.
 *
 * @returns an empty list if nothing in it is signed; null if it is not a JSON object.
 */
export async function examine(text: string, trustAnchors: TrustAnchors): Promise<readonly Finding[] | null> {
  const parsed = parseStrictJson(text.trim(), { maxDepth: MAX_DEPTH });
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { value } = parsed;
  const found = await Promise.all([
    checkResponse(text.trim(), value, trustAnchors),
    checkAdmission(value, trustAnchors),
    checkPurchase(value, trustAnchors),
    checkRating(value, trustAnchors),
    checkRatings(value, trustAnchors),
    checkStatement(value, trustAnchors),
    checkHistory(value, trustAnchors),
    checkBareReceipt(value, trustAnchors),
  ]);
  return found.filter((one) => one !== null);
}

async function checkResponse(
  text: string,
  value: JsonObject,
  { marketplace, door }: TrustAnchors,
): Promise<Finding | null> {
  if (value.provenance === undefined) return null;
  const { receipt } = isJsonObject(value.provenance) ? value.provenance : {};
  const keyId = isJsonObject(receipt) ? String(receipt.keyId) : '';
  const keys = marketplace.get(keyId) ? marketplace : door;
  return findingOf(
    'Answer of the marketplace',
    await verifyResponse(text, keys),
    'The marketplace gave this answer, and it was not changed since.',
  );
}

async function checkAdmission(value: JsonObject, { door, schedule }: TrustAnchors): Promise<Finding | null> {
  if (value.type !== 'ADMIT' && value.type !== 'REFUSE') return null;
  return findingOf(
    'Receipt of the ingress door',
    await verifyAdmission(value, door, schedule),
    value.type === 'ADMIT'
      ? 'The door admitted this berth, and its band follows from the depth and the schedule.'
      : 'The door refused this request, for the reason shown.',
    scalarFacts(value, ['type', 'code', 'intentClass', 'side', 'expiresAt']),
  );
}

async function checkPurchase(value: JsonObject, { marketplace }: TrustAnchors): Promise<Finding | null> {
  if (!isStatement(value.receipt) || typeof value.id !== 'string') return null;
  const checked = await verifyPurchaseReceipt(value, marketplace);
  const content = checked.valid && checked.content === 'matches';
  return findingOf(
    'Purchase with its receipt',
    checked,
    content
      ? 'The receipt belongs to this purchase, and the content is what was bought.'
      : 'The receipt belongs to this purchase. There is no content to compare.',
    statementFacts(value.receipt),
  );
}

async function checkRating(value: JsonObject, { marketplace }: TrustAnchors): Promise<Finding | null> {
  if (!isStatement(value.attestation)) return null;
  const checked = await verifyRatingAttestation(value, marketplace);
  const ofPurchase = checked.valid && checked.purchase === 'matches' ? ' on this purchase' : '';
  return findingOf(
    'Rating with its attestation',
    checked,
    `A buyer who paid left these stars and this comment${ofPurchase}.`,
    statementFacts(value.attestation),
  );
}

/** Checks a list from `GET /marketplace/listings/{id}/ratings`. */
async function checkRatings(
  { ratings: list, listingId }: JsonObject,
  trustAnchors: TrustAnchors,
): Promise<Finding | null> {
  if (!Array.isArray(list) || list.length === 0) return null;
  const checked = await Promise.all(
    list.map((one: Json) =>
      verifyRatingAttestation(
        isJsonObject(one) && listingId !== undefined ? { ...one, listingId } : one,
        trustAnchors.marketplace,
      ),
    ),
  );
  const bad = checked.find(({ valid }) => !valid);
  return findingOf(
    `Ratings (${list.length})`,
    bad ?? checked[0] ?? { valid: false, reason: 'malformed', detail: 'There are none.' },
    'Each rating is from a buyer who paid.',
  );
}

/** Checks a statement alone, or the receipt of something other than a purchase. */
async function checkStatement(value: JsonObject, { marketplace }: TrustAnchors): Promise<Finding | null> {
  const signed = isStatement(value) ? value : value.receipt;
  if (!isStatement(signed) || (signed === value.receipt && typeof value.id === 'string')) return null;
  const type = String(signed.statement.type);
  return findingOf(
    `Statement: ${type.replaceAll('_', ' ')}`,
    await verifyStatement(signed, marketplace, type),
    'The marketplace stated this, and it was not changed since.',
    statementFacts(signed),
  );
}

async function checkHistory(
  { entries, listingId }: JsonObject,
  { marketplace }: TrustAnchors,
): Promise<Finding | null> {
  if (!Array.isArray(entries) || typeof listingId !== 'string') return null;
  const checked = await verifyListingHistory(listingId, entries, marketplace);
  const title = `History of a listing (${entries.length})`;
  if (!checked.valid)
    return {
      title,
      isValid: false,
      message: checked.detail,
      facts: [['Reason', reasonText(checked.reason)]],
    };
  return {
    title,
    isValid: true,
    message: 'Each entry is signed, and they form one unbroken chain from the first version.',
    facts: [
      ['Newest version', String(checked.version)],
      ['Of', checked.changedAt],
      ['Head of the chain', checked.headDigest],
      ...(checked.erased.length > 0
        ? [['Versions whose texts were erased', checked.erased.join(', ')] as const]
        : []),
    ],
  };
}

/** Checks a receipt without its content: only the signature can be checked. */
async function checkBareReceipt(
  value: JsonObject,
  { marketplace, door }: TrustAnchors,
): Promise<Finding | null> {
  const { keyId, signedAt, digest, signature } = value;
  if (isStatement(value) || value.type !== undefined) return null;
  if (typeof keyId !== 'string' || typeof signedAt !== 'string') return null;
  if (typeof digest !== 'string' || typeof signature !== 'string') return null;
  const title = 'Receipt alone';
  // The value may have another type than the field: the check then fails.
  const fields = { keyId, signedAt, digest, signature } as SignatureFields;
  const key = marketplace.get(keyId) ?? door.get(keyId);
  if (!key)
    return {
      title,
      isValid: false,
      message: 'None of these keys has this keyId.',
      facts: [['Reason', 'unknown key']],
    };
  const isValid = await checkSignatureFields(fields, key.raw).catch(() => false);
  const message = isValid
    ? 'Signed by the marketplace. Paste it together with its content to check that as well.'
    : 'The signature is not from this key, digest and time.';
  return {
    title,
    isValid,
    message,
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
  return scalarFacts(
    statement,
    Object.keys(statement)
      .filter((name) => name !== 'type')
      .slice(0, MAX_FACTS),
  );
}

function scalarFacts(value: JsonObject, names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((name) => {
    const member = Object.hasOwn(value, name) ? value[name] : null;
    return member === null || member === undefined || typeof member === 'object'
      ? []
      : [factOf(name, member)];
  });
}

/** `amountCents` 2600 as `Amount` $26.00, `keyId` as `Key id`. */
function factOf(name: string, value: Json): readonly [label: string, value: string] {
  const isMoney = name.endsWith('Cents') && Number.isSafeInteger(value);
  const words = (isMoney ? name.slice(0, -'Cents'.length) : name)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return [words.charAt(0).toUpperCase() + words.slice(1), isMoney ? money(Number(value)) : String(value)];
}

function findingOf(title: string, checked: Checked, message: string, about: Finding['facts'] = []): Finding {
  if (!checked.valid)
    return {
      title,
      isValid: false,
      message: checked.detail,
      facts: [['Reason', reasonText(checked.reason)]],
    };
  const key = checked.keyStatus === 'active' ? checked.keyId : `${checked.keyId} (${checked.keyStatus})`;
  const facts = [
    ['Signed at', checked.signedAt],
    ['Key', key],
    ['Digest', checked.digest],
    ...about,
  ] as const;
  return { title, isValid: true, message, facts };
}

function reasonText(reason: string): string {
  return reason.replaceAll('_', ' ');
}
