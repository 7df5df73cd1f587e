import { BRAND } from '../brand.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { VERIFY_OPERATION } from './verify-operation.ts';

/** The members that a signature consists of: it covers them itself. */
const SIGNATURE_MEMBERS: readonly string[] = ['digest', 'keyId', 'signature', 'signedAt'];

/** What the marketplace writes beside every signature. No signature covers it, and nothing else is ever written there. */
const BESIDE_SIGNATURE: JsonObject = { alg: 'ed25519', verify: VERIFY_OPERATION };
const BESIDE_RECEIPT: JsonObject = { operator: BRAND.operator, platform: BRAND.platform };

/**
 * The members of a receipt or of a signed statement that no signature covers and that are not what the marketplace
 * writes there: somebody else put them there. `signed` names members that the digest is over.
 */
export function uncoveredMembers(sent: JsonObject, signed: readonly string[] = []): string[] {
  // A set: a stranger sends as many members as a body holds.
  const covered = new Set([...SIGNATURE_MEMBERS, ...signed]);
  return Object.keys(sent).filter((name) => !covered.has(name) && !isWritten(BESIDE_SIGNATURE, sent, name));
}

/**
 * The same of the `provenance` of an answer, by their paths from `provenance` on. Its `docs` is not among them where it is a
 * text: it says where the documentation was when the answer was given, which cannot be checked later.
 */
export function uncoveredInProvenance(provenance: JsonObject): string[] {
  const around = Object.keys(provenance).filter(
    (name) =>
      !(name === 'docs' && typeof provenance.docs === 'string') &&
      name !== 'receipt' &&
      !isWritten(BESIDE_RECEIPT, provenance, name),
  );
  const { receipt } = provenance;
  const inReceipt = isJsonObject(receipt) ? uncoveredMembers(receipt) : [];
  return [...around, ...inReceipt.map((name) => `receipt.${name}`)];
}

function isWritten(written: JsonObject, sent: JsonObject, name: string): boolean {
  return Object.hasOwn(written, name) && sent[name] === written[name];
}
