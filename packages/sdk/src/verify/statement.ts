import { uncoveredMembers } from '@agent-marketplace/protocol/crypto/uncovered-members.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { KeySet } from '../keys.ts';
import { checkSeal, invalid, uncoveredFault, type Verification } from './verification.ts';

/**
 * A claim of the marketplace that can be verified without the response that carried it: purchase
 * receipts, rating attestations, consent records. The digest is over the RFC 8785 form of `statement`.
 */
export interface SignedStatement<S = JsonObject> {
  readonly alg: 'ed25519';
  /** `sha256:<hex>`. */
  readonly digest: string;
  readonly keyId: string;
  /** base64url, unpadded. */
  readonly signature: string;
  /** ISO-8601 UTC. */
  readonly signedAt: string;
  readonly statement: S;
  /** The operation that verifies it online. */
  readonly verify: string;
}

/**
 * Checks a signed statement.
 *
 * @param expectedType the kind it must be, such as `purchase_receipt`: without this check, one kind could be
 * passed off as another.
 * @returns with the `statement` if it is good.
 */
export async function verifyStatement(
  signedStatement: unknown,
  keys: KeySet,
  expectedType: string,
): Promise<Verification<{ readonly statement: JsonObject }>> {
  const statement = isJsonObject(signedStatement) ? signedStatement.statement : undefined;
  if (!isJsonObject(signedStatement) || !isJsonObject(statement)) {
    return invalid('malformed', 'Not a signed statement.');
  }
  const checked = await checkSeal(signedStatement, statement, keys);
  if (!checked.valid) return checked;
  const fault = uncoveredFault(uncoveredMembers(signedStatement, ['statement']));
  if (fault !== null) return fault;
  return statement.type === expectedType
    ? { ...checked, statement }
    : invalid('wrong_type', `The statement is not a ${expectedType}.`);
}
