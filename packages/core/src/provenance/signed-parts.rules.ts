import {
  uncoveredInProvenance,
  uncoveredMembers,
} from '@agent-marketplace/protocol/crypto/uncovered-members.ts';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** What was signed, as its holder has it: the members of the signature, and what they were made for. */
export interface SignedParts {
  /** Its members are not checked here. */
  readonly signature: JsonObject;
  /** What the digest must be of; undefined: there is nothing but a signature. */
  readonly claim: Json | undefined;
  /** Members that the marketplace did not write, with their paths: no signature covers them. */
  readonly foreign: readonly string[];
  /** Members that no signature covers and that cannot be checked: the marketplace may have written them or not. */
  readonly unchecked: readonly string[];
}

const DOOR_TYPES: readonly unknown[] = ['ADMIT', 'REFUSE'];

/** What is shown beside a statement that has digests of it only, so that it can be erased. */
const SHOWN_BESIDE: Readonly<Record<string, readonly string[]>> = {
  operator_action: ['after', 'before', 'isErased', 'operatorName', 'reason', 'salt'],
};

/** Of an entry of a listing's history that is signed over digests of its texts. */
const SHOWN_BESIDE_ENTRY: readonly string[] = ['reason', 'texts'];

/** Whether the ingress door signs such a claim with its own key. */
export function isDoorClaim(claim: Json): boolean {
  return isJsonObject(claim) && DOOR_TYPES.includes(claim.type);
}

/**
 * Takes apart whatever was signed here: a receipt alone, a signed statement, a receipt of the door, an entry of a
 * listing's history, and a whole answer. Members that no signature covers become the claim where they could be part of it,
 * so that none is added; the others are named.
 */
export function signedParts(sent: JsonObject): SignedParts {
  const { provenance, ...body } = sent;
  if (!('signature' in body) && isJsonObject(provenance) && isJsonObject(provenance.receipt)) {
    return {
      signature: provenance.receipt,
      claim: body,
      foreign: uncoveredInProvenance(provenance).map((name) => `provenance.${name}`),
      unchecked: 'docs' in provenance ? ['provenance.docs'] : [],
    };
  }
  // The receipt of the answer that this came in.
  const unchecked = provenance === undefined ? [] : ['provenance'];
  const { digest, signature, signedAt, ...sealed } = body;
  if (isDoorClaim(body)) {
    return { signature: withTime(body), claim: sealed, foreign: [], unchecked };
  }
  const { keyId, ...entry } = sealed;
  if (body.type === 'listing_history_entry') {
    if (!('reasonDigest' in entry) && entry.isErased === true)
      return {
        signature: withTime(body),
        claim: undefined,
        foreign: [],
        unchecked: [...unchecked, ...Object.keys(entry)],
      };
    const beside = SHOWN_BESIDE_ENTRY.filter((name) => 'reasonDigest' in entry && name in entry);
    const claim = Object.fromEntries(Object.entries(entry).filter(([name]) => !beside.includes(name)));
    return { signature: withTime(body), claim, foreign: [], unchecked: [...unchecked, ...beside] };
  }
  const { alg, verify, statement, ...others } = entry;
  if (statement !== undefined) {
    const beside = isJsonObject(statement) ? (SHOWN_BESIDE[String(statement.type)] ?? []) : [];
    return {
      signature: body,
      claim: statement,
      foreign: uncoveredMembers(body, ['statement', ...beside]),
      unchecked: [...unchecked, ...beside.filter((name) => name in body)],
    };
  }
  return {
    signature: withTime(body),
    claim: Object.keys(others).length > 0 ? others : undefined,
    foreign: uncoveredMembers(body, Object.keys(others)),
    unchecked,
  };
}

/** Entries of a history and receipts of the door, whatever their `type` was made into, have their time in the claim. */
function withTime(body: JsonObject): JsonObject {
  return { ...body, signedAt: body.signedAt ?? body.issuedAt ?? body.changedAt ?? null };
}
