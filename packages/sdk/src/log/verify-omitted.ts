import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { formatLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import type { LogPolicy } from '@agent-marketplace/protocol/log/log-policy.ts';
import {
  appendLeaf,
  EMPTY_FRONTIER,
  isSameHash,
  leafHash,
  rootOfFrontier,
} from '@agent-marketplace/protocol/log/merkle-tree.ts';
import type { KeySet } from '../keys.ts';
import { PURCHASE_RECEIPT } from '../verify/purchase-receipt.ts';
import { verifyStatement } from '../verify/statement.ts';
import {
  type BelievedCheckpoint,
  believeCheckpoint,
  believeNewestLog,
  type LogVerification,
  logInvalid,
} from './log-verification.ts';
import { logEntryOf } from './verify-logged.ts';

/** What an omission is shown with. Anybody who has the three can check it again. */
export interface OmissionEvidence {
  /** Cosigned by a quorum of your witnesses after the receipt's `logBy`. */
  readonly checkpoint: string;
  /** All of its leaves, from the first on. */
  readonly entries: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Your own. */
  readonly policy: LogPolicy;
}

/** The kinds of statements that say `logBy`. What is signed of other kinds promises nothing, whatever members it has. */
const PROMISING: readonly unknown[] = [
  PURCHASE_RECEIPT,
  'demand_classification',
  'purchase_redelivery',
  'settlement',
  'settlement_change',
  'tab_query_receipt',
];

/** That the marketplace promised to log a receipt, and did not. */
export interface Omitted {
  /** Until when it was to stand in the log: ISO-8601 UTC. */
  readonly logBy: string;
  readonly checkpoint: BelievedCheckpoint;
}

/**
 * Checks the proof that a receipt was left out of the log: it is signed and says `logBy`, witnesses of your policy cosigned the
 * checkpoint after that time, and none of the checkpoint's leaves is the receipt.
 *
 * @param receipt of a purchase or of a query on a tab, a `redelivery`, or a statement of the demand ledger.
 * `valid` means that the omission is proven. `no_promise`: the receipt has no `logBy`, so nothing can be said.
 */
export async function verifyOmitted(
  receipt: unknown,
  keys: KeySet,
  { checkpoint: text, entries, policy }: OmissionEvidence,
): Promise<LogVerification<Omitted>> {
  const { type } = (receipt as { readonly statement?: JsonObject } | null)?.statement ?? {};
  const isPromise = typeof type === 'string' && PROMISING.includes(type);
  const checked = await verifyStatement(receipt, keys, isPromise ? type : PURCHASE_RECEIPT);
  if (!checked.valid) return checked;
  const { logBy } = checked.statement;
  if (logBy === undefined)
    return logInvalid('no_promise', 'The receipt has no logBy: it was not promised to stand in a log.');
  const dueMs = Date.parse(String(logBy));
  if (!Number.isFinite(dueMs)) return logInvalid('malformed', 'The logBy of the receipt is no time.');
  const anyTime = await believeNewestLog(text, policy);
  if (!anyTime.valid) return anyTime;
  // A cosignature has whole seconds: the first one that lies after the promise.
  const believed = await believeCheckpoint(text, policy, Math.floor(dueMs / 1000) + 1);
  // A policy that asks for no witness believes a checkpoint of any time.
  const isDated = believed.valid && believed.checkpoint.cosigned.some(({ at }) => Date.parse(at) > dueMs);
  if (!isDated)
    return logInvalid('not_due', `No quorum of the policy's witnesses cosigned it after ${String(logBy)}.`);
  const { checkpoint } = believed;

  const entry = await logEntryOf(receipt);
  if ('valid' in entry) return entry;
  const omitted = await leafHash(formatLogEntry(entry));
  let frontier = EMPTY_FRONTIER;
  for await (const bytes of entries) {
    const leaf = await leafHash(bytes);
    if (isSameHash(leaf, omitted))
      return logInvalid('is_logged', `The receipt is entry ${frontier.size} of the log.`);
    frontier = await appendLeaf(frontier, leaf);
  }
  const isWhole =
    frontier.size === checkpoint.size && isSameHash(await rootOfFrontier(frontier), checkpoint.root);
  return isWhole
    ? { valid: true, logBy: String(logBy), checkpoint }
    : logInvalid('incomplete', 'The entries are not all leaves of the checkpoint.');
}
