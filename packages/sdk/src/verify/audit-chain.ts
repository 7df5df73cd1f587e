import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { KeySet } from '../keys.ts';
import {
  checkSeal,
  digestOf,
  type Invalid,
  type InvalidReason,
  invalid,
  type Verification,
} from './verification.ts';

/** An entry that is known to be there, such as the newest of the last time. */
export interface AuditChainHead {
  readonly sequence: number;
  readonly digest: string;
}

export type AuditChainVerification =
  | {
      readonly valid: true;
      /** The newest entry, which fixes all before it. Keep it elsewhere, and give it as `after` next time. */
      readonly head: AuditChainHead;
      /** ISO-8601 UTC, of the newest entry. */
      readonly at: string;
      /** Sequences of entries whose texts were erased: what they say happened is signed, why and to what is not known. */
      readonly erased: readonly number[];
    }
  /** `sequence` of the first invalid entry; null if that entry has none. */
  | (Invalid & { readonly sequence: number | null });

const TEXTS = ['reason', 'before', 'after'] as const;

/**
 * Checks what operators did, as `GET /admin/audit` lists it: every entry's digest and signature, that each text is the one
 * that was signed, and that the entries form one chain from the first, or from `after`. They may come in either order.
 *
 * A chain does not show that its newest entries are missing: compare `head` with one that was noted before.
 */
export async function verifyAuditChain(
  actions: readonly unknown[],
  keys: KeySet,
  after: AuditChainHead | null = null,
): Promise<AuditChainVerification> {
  if (actions.length === 0) return fault(null, 'broken_chain', 'There are no entries.');
  const erased: number[] = [];
  let head = after;
  let at = '';
  for (const action of actions.toSorted((a, b) => sequenceOf(a) - sequenceOf(b))) {
    const sequence: number = (head?.sequence ?? 0) + 1;
    const statement = isJsonObject(action) ? action.statement : null;
    if (!isJsonObject(action) || !isJsonObject(statement) || sequenceOf(action) === 0)
      return fault(null, 'malformed', 'An entry is no signed statement with a sequence.');
    if (statement.sequence !== sequence)
      return fault(sequence, 'broken_chain', `Entry ${sequence} is missing.`);
    if (statement.previousDigest !== (head?.digest ?? null))
      return fault(sequence, 'broken_chain', 'The entry does not follow from the one before.');
    const checked = await checkAction(action, statement, keys);
    if (!checked.valid) return { ...checked, sequence };
    if (action.salt === null) erased.push(sequence);
    head = { sequence, digest: checked.digest };
    at = checked.signedAt;
  }
  return head === null
    ? fault(null, 'broken_chain', 'There are no entries.')
    : { valid: true, head, at, erased };
}

async function checkAction(action: JsonObject, statement: JsonObject, keys: KeySet): Promise<Verification> {
  const checked = await checkSeal(action, statement, keys);
  if (!checked.valid) return checked;
  if (statement.type !== 'operator_action' || statement.at !== checked.signedAt)
    return invalid('wrong_type', 'The statement is not an operator_action of the time that is signed.');
  const { salt } = action;
  for (const name of TEXTS) {
    const text = action[name] ?? null;
    const signed = statement[`${name}Digest`] ?? null;
    // Without its salt a text is nobody's word.
    if (salt === null && text === null) continue;
    const actual = text === null ? null : await digestOf({ [name]: text, salt });
    if (salt === null || actual !== signed)
      return invalid('digest_mismatch', `The ${name} is not the one that was signed.`);
  }
  return checked;
}

function sequenceOf(action: unknown): number {
  const statement = isJsonObject(action) ? action.statement : null;
  const sequence = isJsonObject(statement) ? statement.sequence : null;
  return typeof sequence === 'number' && Number.isSafeInteger(sequence) ? sequence : 0;
}

function fault(sequence: number | null, reason: InvalidReason, detail: string): AuditChainVerification {
  return { ...invalid(reason, detail), sequence };
}
