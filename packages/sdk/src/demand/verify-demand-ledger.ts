import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { LogPolicy } from '@agent-marketplace/protocol/log/log-policy.ts';
import type { GetDemandLedgerOutput } from '../generated/api.ts';
import type { KeySet } from '../keys.ts';
import {
  type BelievedCheckpoint,
  believeCheckpoint,
  believeNewestLog,
  type LogVerification,
  logInvalid,
} from '../log/log-verification.ts';
import { readLeaves } from '../log/read-leaves.ts';
import { verifyResponse } from '../verify/response.ts';
import { type DemandFinding, LedgerAccounts, type RestoredRow } from './ledger-accounts.ts';
import type { DemandLedgerPages } from './read-demand-ledger.ts';
import { type DemandTotals, recomputeDemandTotals } from './recompute-demand-totals.ts';

/** What the ledger is verified with. Anybody who has it can verify it again. */
export interface DemandEvidence extends DemandLedgerPages {
  /** Read after the pages. */
  readonly checkpoint: string;
  /**
   * Read before the pages, and signed by the log: a page that names a smaller tree would hide what was logged up to there. A page
   * may be some seconds old, so a finding of the first look is looked at again with the same one.
   */
  readonly checkpointBefore?: string | null;
  /** All of its leaves, from the first on. */
  readonly entries: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Your own. */
  readonly policy: LogPolicy;
  /** ISO-8601 UTC. The marketplace signs each page with its time: an older one may be a page of before, shown again. */
  readonly notOlderThan?: string;
  /** What an earlier look found to wait: a row that still waits is a finding. */
  readonly waitedBefore?: readonly string[];
}

export interface DemandVerified {
  readonly checkpoint: BelievedCheckpoint;
  /** The size of the tree that the ledger names: all statements of it up to there are accounted for. */
  readonly treeSize: number;
  /** Made of the statements that stand in the log, and of nothing else. */
  readonly logged: DemandTotals;
  /** What the rows show. */
  readonly shown: DemandTotals;
  /** Rows whose last change is not signed or not logged yet, by id: they may be in `shown` otherwise than in `logged`. */
  readonly waiting: readonly string[];
  /** Rows that had left the ledger and were put back: no finding, as a refund may be undone, but something to ask about. */
  readonly restored: readonly RestoredRow[];
  /** How many rows are in the ledger no more, by why: what the marketplace said, which you may compare with your own purchases. */
  readonly removed: { readonly refunded: number; readonly ended: number };
  /** Empty: the ledger holds. */
  readonly findings: readonly DemandFinding[];
  /** Whether something was sold between the first page and the last: totals could not be compared with rows. Read again. */
  readonly hasMoved: boolean;
}

/**
 * Recomputes the demand ledger, without network: from the entries of the log and the pages of the ledger. Every statement of
 * the ledger in the log up to the size that the pages name must be accounted for by one row, or by one that was removed;
 * each must be logged, and say what its row says; and all totals must be the sums of the rows.
 *
 * `valid` means that it could be verified: the ledger holds if there are no `findings`.
 */
export async function verifyDemandLedger(
  evidence: DemandEvidence,
  keys: KeySet,
): Promise<LogVerification<DemandVerified>> {
  const believed = await believeNewestLog(evidence.checkpoint, evidence.policy);
  if (!believed.valid) return believed;
  const { checkpoint } = believed;
  const pages: GetDemandLedgerOutput[] = [];
  const { rows, removed, affiliated } = evidence;
  for (const text of [...rows, ...removed, ...affiliated]) {
    const verified = await verifyResponse(text, keys);
    if (!verified.valid) return logInvalid(verified.reason, `A page of the ledger: ${verified.detail}`);
    pages.push(verified.body as unknown as GetDemandLedgerOutput);
  }
  const [first] = pages;
  if (first === undefined || !pages.every(isDemandLedger))
    return logInvalid('malformed', 'The pages are not answers of GET /proof/demand.');
  const { checkpointBefore, policy } = evidence;
  const before =
    typeof checkpointBefore === 'string' ? await believeCheckpoint(checkpointBefore, policy) : null;
  if (before?.valid === false) return before;
  const sizes = pages.map((page) => page.treeSize);
  const sizeOfPages = Math.min(...sizes);
  const sizeBefore = before?.checkpoint.size ?? 0;
  const treeSize = Math.max(sizeOfPages, sizeBefore);
  const leaves = await readLeaves(evidence.entries, checkpoint, ({ type }) => TYPES.has(type));
  if (leaves === null) return logInvalid('incomplete', 'The entries are not all leaves of the checkpoint.');

  const [now = ''] = pages.map((page) => page.generatedAt).sort();
  const pagesOf = (start: number, count: number) => pages.slice(start, start + count);
  const [ofRows, ofRemoved, ofAffiliated] = [
    pagesOf(0, rows.length),
    pagesOf(rows.length, removed.length),
    pagesOf(rows.length + removed.length, affiliated.length),
  ];
  const hasMoved = pages.some((page) => stateText(page) !== stateText(first));
  const isWhole =
    !hasMoved &&
    sizes.every((size) => size === sizeOfPages) &&
    isChain(ofRows) &&
    isChain(ofRemoved.map((page) => page.removedRows)) &&
    isChain(ofAffiliated.map((page) => page.affiliatedRail));
  const hasGrown = checkpoint.size >= Math.max(...sizes);
  const waitedBefore = new Set(evidence.waitedBefore);
  const ledger = new LedgerAccounts({ keys, leaves, now, waitedBefore, isWhole, hasGrown });
  if (checkpoint.size < treeSize) ledger.findShorter(checkpoint.size, treeSize);
  if (evidence.notOlderThan !== undefined && now < evidence.notOlderThan) ledger.findStale(now);
  const isConfigured = await ledger.readClassification(first);
  for (const page of ofRows) for (const row of page.ledger) await ledger.readRow(row, isConfigured);
  for (const page of ofRemoved)
    for (const one of page.removedRows.rows) await ledger.readRemoved(one, isConfigured);
  for (const page of ofAffiliated)
    for (const row of page.affiliatedRail.ledger) await ledger.readAffiliated(row);
  const seen = before?.checkpoint.cosigned ?? [];
  const isOlder = seen.some(({ at }) => Date.parse(at) + LAGS_MS <= Date.parse(now));
  ledger.findMissing(sizeOfPages, { size: sizeBefore, isOlder });
  const [shown, logged] = [recomputeDemandTotals(ledger.shown), recomputeDemandTotals(ledger.logged)];
  if (!hasMoved) ledger.compareTotals(first, shown);
  const { findings, restored } = ledger;
  const waiting = [...ledger.waiting];
  const found = { shown, logged, waiting, restored, removed: ledger.removed, findings, hasMoved };
  return { valid: true, checkpoint, treeSize, ...found };
}

/** By so much a page may be of an earlier state than its time says: clocks differ, and copies of the database lag. */
const LAGS_MS = 10 * 60_000;

/** Whether these are all pages of a list: from the first to the last, each once. */
const isChain = (
  list: readonly { readonly cursor: string | null; readonly nextCursor: string | null }[],
): boolean =>
  list.length > 0 &&
  list.every(({ cursor, nextCursor }, index) => {
    const isLast = index === list.length - 1;
    return cursor === (list[index - 1]?.nextCursor ?? null) && (nextCursor === null) === isLast;
  });

/** What the ledger is made of. */
const TYPES: ReadonlySet<string> = new Set([
  'affiliated_receipt',
  'demand_classification',
  'settlement',
  'settlement_change',
]);

const isDemandLedger = (page: GetDemandLedgerOutput): boolean =>
  Array.isArray(page.ledger) &&
  Number.isSafeInteger(page.treeSize) &&
  Number.isSafeInteger(page.revision) &&
  isJsonObject(page.armsLengthClassification) &&
  Array.isArray(page.removedRows?.rows) &&
  Array.isArray(page.affiliatedRail?.ledger);

/** The same of all pages of one state. Totals alone are not: a row may leave while another like it comes. */
const stateText = ({ revision, totals, armsLengthClassification, affiliatedRail }: GetDemandLedgerOutput) =>
  JSON.stringify([
    ...[revision, totals, armsLengthClassification.configured],
    ...[affiliatedRail.count, affiliatedRail.grossCents],
  ]);
