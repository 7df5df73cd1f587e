import {
  type KeySet,
  verifyAdmission,
  verifyAuditChain,
  verifyListingHistory,
  verifyPurchaseReceipt,
  verifyRatingAttestation,
  verifyResponse,
  verifyStatement,
} from '@agent-marketplace/sdk';

/** One thing that was checked. */
export interface Check {
  readonly what:
    | 'response'
    | 'purchase'
    | 'statement'
    | 'rating'
    | 'listing history'
    | 'audit chain'
    | 'door receipt'
    | 'message'
    | 'log';
  readonly valid: boolean;
  /** Why it is not valid, from the closed lists of the SDK; of the log also `pending` and `omitted`. */
  readonly reason?: string;
  readonly detail?: string;
  /** Of a purchase: whether its content is what the receipt binds, or there was none to compare. */
  readonly content?: 'matches' | 'absent';
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

/**
 * Checks everything in a document that is signed, without network. Empty: nothing in it is.
 *
 * @param door asked for only if there is a receipt of the door.
 */
export async function verifyDocument(
  text: string,
  value: unknown,
  keys: KeySet,
  door: () => Promise<DoorProof>,
): Promise<readonly Check[]> {
  if (!isRecord(value)) return [];
  const checks: Check[] = [];
  const add = async (what: Check['what'], verification: Promise<Omit<Check, 'what'>>) => {
    const { valid, reason, detail, content, keyId, signedAt } = await verification;
    checks.push({
      what,
      valid,
      ...(reason === undefined ? {} : { reason, detail }),
      ...(content === undefined ? {} : { content }),
      ...(keyId === undefined ? {} : { keyId, signedAt }),
    } as Check);
  };
  if (value.type === 'ADMIT' || value.type === 'REFUSE') {
    const { keys: doorKeys, schedule } = await door();
    await add('door receipt', verifyAdmission(value, doorKeys, schedule));
    return checks;
  }
  // As text: a duplicate key is found in no other way.
  if (isRecord(value.provenance)) await add('response', verifyResponse(text, keys));
  if (isRecord(value.receipt) && 'contentDigest' in value)
    await add('purchase', verifyPurchaseReceipt(value, keys));
  else if (isStatement(value.receipt)) await add('statement', statement(value.receipt, keys));
  if (isRecord(value.attestation)) await add('rating', verifyRatingAttestation(value, keys));
  if (isStatement(value.quality)) await add('statement', statement(value.quality, keys));
  if (isStatement(value)) await add('statement', statement(value, keys));
  if (Array.isArray(value.entries) && typeof value.listingId === 'string') {
    await add('listing history', verifyListingHistory(value.listingId, value.entries, keys));
  }
  if (Array.isArray(value.actions)) await add('audit chain', verifyAuditChain(value.actions, keys));
  return checks;
}

/** Its type is what it says of itself: who reads the result is shown it. */
function statement(value: Statement, keys: KeySet) {
  return verifyStatement(value, keys, String(value.statement.type));
}

type Statement = { readonly statement: Readonly<Record<string, unknown>> };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isStatement = (value: unknown): value is Statement & Record<string, unknown> =>
  isRecord(value) && isRecord(value.statement) && typeof value.signature === 'string';
