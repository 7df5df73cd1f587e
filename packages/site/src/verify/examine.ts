import {
  checkSignatureFields,
  type SignatureFields,
} from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import { uncoveredMembers } from '@agent-marketplace/protocol/crypto/uncovered-members.ts';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import { type KeySet, verifyAdmission } from '@agent-marketplace/sdk';
import { type SignedPart, verifyDocument } from '@agent-marketplace/sdk/document';
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
  const { marketplace, door } = trustAnchors;
  const { receipt } = isJsonObject(value.provenance) ? value.provenance : {};
  const isOfDoor = isJsonObject(receipt) && door.get(String(receipt.keyId)) !== undefined;
  const { parts, isSignedWhole } = await verifyDocument(text.trim(), isOfDoor ? door : marketplace);
  const others = await Promise.all([
    checkAdmission(value, trustAnchors),
    checkBareReceipt(value, trustAnchors),
  ]);
  const findings = [...findingsOf(parts), ...others.filter((one) => one !== null)];
  if (parts.length === 0 || isSignedWhole) return findings;
  const names = [...new Set(parts.flatMap(({ uncovered }) => uncovered))].sort();
  const note = names.length === 0 ? NOT_SIGNED_WHOLE : `${NOT_SIGNED_WHOLE} Not signed: ${names.join(', ')}.`;
  return findings.map((finding, index) =>
    index === 0 ? { ...finding, message: `${finding.message} ${note}` } : finding,
  );
}

const NOT_SIGNED_WHOLE =
  'Nobody signed what was pasted as a whole: only what is named here is signed, and nothing that stands beside it.';

/** What is valid is one finding for each kind; what is not is named, each one. */
function findingsOf(parts: readonly SignedPart[]): Finding[] {
  const findings: Finding[] = [];
  const counted = new Set<SignedPart['what']>();
  for (const part of parts) {
    const alike = part.verification.valid
      ? parts.filter(({ what, verification }) => verification.valid && what === part.what)
      : [part];
    if (alike.length === 1) findings.push(findingOfPart(part));
    else if (!counted.has(part.what)) findings.push(findingOfMany(part, alike.length));
    if (alike.length > 1) counted.add(part.what);
    findings.push(...findingsOfUnsigned(part));
  }
  return findings;
}

/** What the signed page alone says of a rating or row. */
function findingsOfUnsigned({ what, path, verification }: SignedPart): Finding[] {
  const names = 'unsigned' in verification ? (verification.unsigned ?? []) : [];
  if (names.length === 0) return [];
  const said = names.map(wordsOf).join(' and ');
  const message =
    what === 'listing history' || what === 'history entry'
      ? `The page alone says ${said}: texts were erased, and nobody can check what was signed.`
      : `The page says ${said}, and its own statement does not, or not yet: look again in a few minutes.`;
  const title = path === '' ? TITLES[what] : `${TITLES[what]}, ${path}`;
  return [{ title, isValid: true, message, facts: [] }];
}

const TITLES: Readonly<Record<SignedPart['what'], string>> = {
  response: 'Answer of the marketplace',
  purchase: 'Purchase with its receipt',
  rating: 'Rating with its attestation',
  'listing history': 'History of a listing',
  'history entry': 'Change of a listing',
  'audit chain': 'What operators did',
  'demand row': 'Row of the demand ledger',
  'affiliated row': 'Row of the affiliated rail',
  'demand ledger': 'Demand ledger',
  statement: 'Statement',
};

/** What each of several of a kind says. */
const OF_EACH: Readonly<Record<SignedPart['what'], string>> = {
  response: 'The marketplace gave this answer, and it was not changed since.',
  purchase: 'Each receipt belongs to its purchase.',
  rating: 'Each rating is from a buyer who paid.',
  'listing history': 'The entries of each form one unbroken chain from the first version.',
  'history entry': 'Each is signed.',
  'audit chain': 'The entries of each form one unbroken chain.',
  'demand row': 'Each row says what was signed of it.',
  'affiliated row': 'Each row says what was signed of it.',
  'demand ledger': 'Its rows agree with the double entries.',
  statement: 'The marketplace stated each, and none was changed since.',
};

function findingOfMany({ what }: SignedPart, count: number): Finding {
  return { title: `${TITLES[what]} (${count})`, isValid: true, message: OF_EACH[what], facts: [] };
}

function findingOfPart({ what, path, verification, signed }: SignedPart): Finding {
  const statement = signed.find(isStatement) ?? null;
  const title = titleOf(what, signed.length, statement);
  if (!verification.valid) return findingOf(path === '' ? title : `${title}, ${path}`, verification, '');
  if (!('keyId' in verification))
    return { title, isValid: true, message: CHAIN, facts: chainFacts(verification) };
  const facts = statement === null ? [] : statementFacts(statement);
  return findingOf(title, verification, messageOf(what, verification), facts);
}

function titleOf(what: SignedPart['what'], count: number, statement: Statement | null): string {
  if (what === 'statement') return `Statement: ${String(statement?.statement.type).replaceAll('_', ' ')}`;
  return what === 'listing history' || what === 'audit chain' ? `${TITLES[what]} (${count})` : TITLES[what];
}

const CHAIN = 'Each entry is signed, and they form one unbroken chain from the first on.';

function chainFacts(
  chain: Extract<SignedPart['verification'], { readonly erased: readonly number[] }>,
): Finding['facts'] {
  const [newest, at, head] =
    'head' in chain
      ? [chain.head.sequence, chain.at, chain.head.digest]
      : [chain.version, chain.changedAt, chain.headDigest];
  const { erased } = chain;
  return [
    ['Newest', String(newest)],
    ['Of', at],
    ['Head of the chain', head],
    ...(erased.length > 0 ? [['Those whose texts were erased', erased.join(', ')] as const] : []),
  ];
}

function messageOf(
  what: SignedPart['what'],
  { content, purchase }: { readonly content?: string; readonly purchase?: string },
): string {
  switch (what) {
    case 'purchase':
      return content === 'matches'
        ? 'The receipt belongs to this purchase, and the content is what was bought.'
        : 'The receipt belongs to this purchase. There is no content to compare.';
    case 'rating':
      return `A buyer who paid left these stars and this comment${purchase === 'matches' ? ' on this purchase' : ''}.`;
    case 'response':
      return OF_EACH.response;
    case 'demand row':
    case 'affiliated row':
      return 'The row says what was signed of it.';
    default:
      return 'The marketplace stated this, and it was not changed since.';
  }
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
  if (uncoveredMembers(value).length > 0)
    return findingOf(title, { valid: false, reason: 'not_covered', detail: AROUND_RECEIPT }, '');
  // The value may have another type than the field: the check then fails.
  const fields = { keyId, signedAt, digest, signature } as SignatureFields;
  const key = marketplace.get(keyId) ?? door.get(keyId);
  if (!key)
    return {
      title,
      isValid: false,
      message: 'None of these keys has this id.',
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

const AROUND_RECEIPT = 'What stands beside this receipt is not shown to be what was signed.';

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
  const words = wordsOf(isMoney ? name.slice(0, -'Cents'.length) : name);
  return [words.charAt(0).toUpperCase() + words.slice(1), isMoney ? money(Number(value)) : String(value)];
}

/** The name of a field as words: `keyId` as `key id`. */
const wordsOf = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** A sentence of the SDK, which names fields, for people. */
const forPeople = (sentence: string) =>
  sentence.replaceAll(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (name) => wordsOf(name.replace(/Cents$/, '')));

function findingOf(title: string, checked: Checked, message: string, about: Finding['facts'] = []): Finding {
  if (!checked.valid)
    return {
      title,
      isValid: false,
      message: forPeople(checked.detail),
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
