import type { LogPolicy } from '@agent-marketplace/protocol/log/log-policy.ts';
import { verifyConsistency } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import {
  type BelievedCheckpoint,
  believeCheckpoint,
  type LogVerification,
  logInvalid,
} from './log-verification.ts';

/**
 * Checks, without network, that the log only grew between two of its checkpoints: that the older tree is the beginning
 * of the newer one. Both must be signed by the log of your policy, and cosigned as it asks.
 *
 * @param hashes the consistency proof of RFC 6962 section 2.1.2, 32 bytes each.
 */
export async function verifyConsistent(
  older: string,
  newer: string,
  hashes: readonly Uint8Array[],
  policy: LogPolicy,
): Promise<LogVerification<{ readonly older: BelievedCheckpoint; readonly newer: BelievedCheckpoint }>> {
  const [before, after] = [await believeCheckpoint(older, policy), await believeCheckpoint(newer, policy)];
  if (!before.valid) return before;
  if (!after.valid) return after;
  if (before.checkpoint.origin !== after.checkpoint.origin)
    return logInvalid('unknown_log', 'The checkpoints are of two logs.');
  return (await verifyConsistency(before.checkpoint, after.checkpoint, hashes))
    ? { valid: true, older: before.checkpoint, newer: after.checkpoint }
    : logInvalid('inconsistent', 'The proof does not show that the older tree begins the newer one.');
}
