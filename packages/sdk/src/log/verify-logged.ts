import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { LogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import type { LogPolicy } from '@agent-marketplace/protocol/log/log-policy.ts';
import { verifyEntry } from '@agent-marketplace/protocol/log/verify-entry.ts';
import { verifyBytes } from '../crypto.ts';
import { digestOf } from '../verify/verification.ts';
import {
  type BelievedCheckpoint,
  believedOf,
  CHECKPOINT_FAULTS,
  type LogInvalid,
  type LogVerification,
  logInvalid,
} from './log-verification.ts';

/** Where a statement stands in the log. */
export interface Logged {
  readonly entry: LogEntry;
  /** Its place: 0 for the first leaf. */
  readonly index: number;
  readonly checkpoint: BelievedCheckpoint;
}

/**
 * Checks, without network, that a signed statement stands in the log: that the proof leads from it to a checkpoint which
 * the log of your policy signed and enough of your witnesses cosigned.
 *
 * It says nothing of the statement's own signature: check that with `verifyPurchaseReceipt` or `verifyStatement`.
 *
 * @param signed a statement with its signature, such as a purchase's `receipt`; or the four members of a leaf.
 * @param proof the text of `GET /log/proofs/{digest}`.
 * @param policy your own: `parseLogPolicy` of a file that you keep. Never take it from the log.
 */
export async function verifyLogged(
  signed: unknown,
  proof: string,
  policy: LogPolicy,
): Promise<LogVerification<Logged>> {
  const entry = await logEntryOf(signed);
  if ('valid' in entry) return entry;
  const verdict = await verifyEntry(entry, proof, policy, verifyBytes);
  if (verdict.valid) return { valid: true, entry, index: verdict.index, checkpoint: believedOf(verdict) };
  switch (verdict.reason) {
    case 'malformed_proof':
      return logInvalid('malformed', 'The proof is no c2sp.org/tlog-proof@v1.');
    case 'not_included':
      return logInvalid('not_included', 'The proof does not lead from this statement to the checkpoint.');
    default:
      return logInvalid(verdict.reason, CHECKPOINT_FAULTS[verdict.reason]);
  }
}

/** The leaf of a signed statement. */
export async function logEntryOf(signed: unknown): Promise<LogEntry | LogInvalid> {
  if (!isJsonObject(signed)) return logInvalid('malformed', 'Not a signed statement.');
  const { statement, digest, keyId, signedAt } = signed;
  const type = isJsonObject(statement) ? statement.type : signed.type;
  const hasMembers =
    typeof type === 'string' &&
    typeof digest === 'string' &&
    typeof keyId === 'string' &&
    typeof signedAt === 'string';
  if (!hasMembers) return logInvalid('malformed', 'type, digest, keyId or signedAt is missing or no text.');
  if (isJsonObject(statement) && (await digestOf(statement)) !== digest)
    return logInvalid('digest_mismatch', 'The digest is not of this statement.');
  return { type, digest: digest as LogEntry['digest'], keyId, signedAt };
}
