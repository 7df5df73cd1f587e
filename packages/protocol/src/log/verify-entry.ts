import { formatLogEntry, type LogEntry } from './log-entry.ts';
import {
  type CheckpointFault,
  type CheckpointVerdict,
  type LogPolicy,
  verifyCheckpoint,
} from './log-policy.ts';
import { parseLogProof } from './log-proof.ts';
import { leafHash, verifyInclusion } from './merkle-tree.ts';
import type { VerifySignature } from './note.ts';

/** Where an entry stands, and what the policy says of the checkpoint. */
export type EntryVerdict =
  | { readonly valid: false; readonly reason: CheckpointFault | 'malformed_proof' | 'not_included' }
  | (Omit<Extract<CheckpointVerdict, { valid: true }>, 'note'> & { readonly index: number });

/**
 * Whether a proof (c2sp.org/tlog-proof) leads from an entry to a checkpoint that a policy believes.
 *
 * @param verify for platforms without Ed25519 of their own.
 */
export async function verifyEntry(
  entry: LogEntry,
  proofText: string,
  policy: LogPolicy,
  verify?: VerifySignature,
): Promise<EntryVerdict> {
  const proof = parseLogProof(proofText);
  if (proof === null) return { valid: false, reason: 'malformed_proof' };
  const verdict = await verifyCheckpoint(proof.checkpoint, policy, 0, verify);
  if (!verdict.valid) return verdict;
  const { checkpoint, cosigned } = verdict;
  const leaf = { hash: await leafHash(formatLogEntry(entry)), index: proof.index };
  return (await verifyInclusion(leaf, checkpoint, proof.hashes))
    ? { valid: true, checkpoint, cosigned, index: proof.index }
    : { valid: false, reason: 'not_included' };
}
