import { uncoveredInProvenance } from '@agent-marketplace/protocol/crypto/uncovered-members.ts';
import { isJsonObject, type Json } from '@agent-marketplace/protocol/json/json.ts';
import { type KeySet, verifyAdmission } from '@agent-marketplace/sdk';
import { type SignedPart, verifyDocument } from '@agent-marketplace/sdk/document';

/** One thing that was checked. */
export interface Check {
  readonly what: SignedPart['what'] | 'door receipt' | 'message' | 'log';
  /** Where it is in the document, such as `ratings[3]`; empty: the document itself. */
  readonly path?: string;
  readonly valid: boolean;
  /** Why it is not valid, from the closed lists of the SDK; of the log also `pending` and `omitted`. */
  readonly reason?: string;
  readonly detail?: string;
  /** Of a purchase: whether its content is what the receipt binds, or there was none to compare. */
  readonly content?: 'matches' | 'absent';
  /** What the signed page alone says of it: it is not in its own statement, or not yet. */
  readonly unsigned?: readonly string[];
  /** Where the document is not signed as a whole: what is shown of it and signed by nobody. */
  readonly notSigned?: readonly string[];
  readonly keyId?: string;
  readonly signedAt?: string;
  /** Of the log: the place of the entry, and who cosigned the checkpoint that shows it. */
  readonly index?: number;
  readonly cosigned?: readonly { readonly name: string; readonly at: string }[];
}

/** What the receipts of the door are held against. */
export interface DoorProof {
  /** The door has keys of its own. */
  readonly keys: KeySet;
  /** The answer of `GET /ingress/schedule`. */
  readonly schedule: unknown;
}

/** Checks of a document, and the statements in it that may stand in the log. */
export interface CheckedDocument {
  readonly checks: readonly Check[];
  readonly signed: readonly SignedInDocument[];
  /** False: nobody signed what stands beside the parts. */
  readonly isSignedWhole: boolean;
}

export interface SignedInDocument {
  readonly path: string;
  readonly signed: SignedPart['signed'][number];
}

/**
 * Checks everything in a document that is signed, without network. No checks: nothing in it is.
 *
 * @param door asked for only if there is a receipt of the door.
 */
export async function checkDocument(
  text: string,
  value: unknown,
  keys: KeySet,
  door: () => Promise<DoorProof>,
): Promise<CheckedDocument> {
  const { type, provenance = {} } = (value ?? {}) as { readonly type?: unknown; readonly provenance?: Json };
  if (type === 'ADMIT' || type === 'REFUSE') {
    const { keys: doorKeys, schedule } = await door();
    const admission = await verifyAdmission(value, doorKeys, schedule);
    // The answer that it came in says who it is from, which the receipt itself does not cover.
    const isSignedWhole = isJsonObject(provenance) && uncoveredInProvenance(provenance).length === 0;
    return { checks: [checkOf('door receipt', '', admission)], signed: [], isSignedWhole };
  }
  const { parts, isSignedWhole } = await verifyDocument(text, keys);
  return {
    isSignedWhole,
    checks: parts.map(({ what, path, verification, uncovered }) => ({
      ...checkOf(what, path, verification),
      ...(isSignedWhole || uncovered.length === 0 ? {} : { notSigned: uncovered }),
    })),
    signed: parts.flatMap(({ path, signed }) => signed.map((one) => ({ path, signed: one }))),
  };
}

function checkOf(what: Check['what'], path: string, verification: Omit<Check, 'what'>): Check {
  const { valid, reason, detail, content, unsigned = [], keyId, signedAt } = verification;
  return {
    what,
    path,
    valid,
    ...(reason === undefined ? {} : { reason, detail }),
    ...(content === undefined ? {} : { content }),
    ...(unsigned.length === 0 ? {} : { unsigned }),
    ...(keyId === undefined ? {} : { keyId, signedAt }),
  } as Check;
}
