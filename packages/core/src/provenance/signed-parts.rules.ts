import { isJsonObject, type Json, type JsonObject } from '../kernel/json/json.ts';

/** What was signed, as its holder has it: the members of the signature, and what they were made for. */
export interface SignedParts {
  /** Its members are not checked here. */
  readonly signature: JsonObject;
  /** What the digest must be of; undefined: there is nothing but a signature. */
  readonly claim: Json | undefined;
}

const DOOR_TYPES: readonly unknown[] = ['ADMIT', 'REFUSE'];

/**
 * Takes apart whatever was signed here: a receipt alone, a signed statement, a receipt of the door, an entry of a
 * listing's history, and a whole answer. Members that no signature covers become the claim, so that none is added.
 */
export function signedParts(sent: JsonObject): SignedParts {
  const { provenance, ...body } = sent;
  if (!('signature' in body) && isJsonObject(provenance) && isJsonObject(provenance.receipt)) {
    return { signature: provenance.receipt, claim: body };
  }
  const { digest, signature, signedAt, ...sealed } = body;
  if (DOOR_TYPES.includes(body.type)) {
    return { signature: { ...body, signedAt: signedAt ?? body.issuedAt ?? null }, claim: sealed };
  }
  const { keyId, ...entry } = sealed;
  if (body.type === 'listing_history_entry') {
    return { signature: { ...body, signedAt: signedAt ?? body.changedAt ?? null }, claim: entry };
  }
  const { alg, verify, statement, ...others } = entry;
  if (statement !== undefined) return { signature: body, claim: statement };
  return { signature: body, claim: Object.keys(others).length > 0 ? others : undefined };
}
