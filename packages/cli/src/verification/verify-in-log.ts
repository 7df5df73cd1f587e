import {
  believeCheckpoint,
  createLogReader,
  type KeySet,
  type Leaf,
  type LogInvalid,
  type LogPolicy,
  logEntryOf,
  readLeaves,
  verifyLogged,
  verifyOmitted,
} from '@agent-marketplace/sdk';
import { readEntries, whereReadable } from '../frame/read-log.ts';
import { readSuccessor } from '../frame/read-successor.ts';
import type { Check, SignedInDocument } from './check-document.ts';

export interface InLogOptions {
  readonly policy: LogPolicy;
  readonly keys: KeySet;
  /** The prefix of the log, as a function: nothing is asked for where there is a proof. */
  readonly url: () => string;
  /** The text of a proof of the one statement; null: the log is asked. */
  readonly proof: string | null;
}

/** The same of all files of a run: a log is read once. */
export interface InLog extends InLogOptions {
  readonly log: ReturnType<typeof logOf>;
}

export const openLog = (options: InLogOptions): InLog => ({ ...options, log: logOf(options) });

/** Above this, reading all entries once asks the log for less than a proof for each. */
const MOST_PROOFS = 20;

/** What the marketplace logs. Other statements, such as a listing's quality, are replaced or stored nowhere. */
const LOGGED_TYPES: ReadonlySet<unknown> = new Set([
  'affiliated_receipt',
  'demand_classification',
  'health_consent',
  'listing_history_entry',
  'operator_action',
  'purchase_receipt',
  'purchase_redelivery',
  'rating_attestation',
  'rating_number',
  'settlement',
  'settlement_change',
  'tab_query_receipt',
]);

/** Checks of each signed statement of a document that it stands in the log. */
export async function verifyInLog(
  statements: readonly SignedInDocument[],
  options: InLog,
): Promise<{ readonly checks: readonly Check[]; readonly omitted: readonly Signed[] }> {
  const logged = statements.filter(({ signed }) => LOGGED_TYPES.has(typeOf(signed)));
  const { log } = options;
  return whereReadable('The log', async () => {
    const checks: Check[] = [];
    const omitted: Signed[] = [];
    for (const { path, signed } of logged) {
      const proof = logged.length > MOST_PROOFS ? null : await log.proof(String(signed.digest));
      const check =
        proof === null
          ? await lookFor(signed, await log.whole(), options).then((check) => toldOfSuccessor(check, log))
          : shownOrNot(await verifyLogged(signed, proof, options.policy));
      checks.push({ what: 'log', path, ...check });
      if (check.reason === OMITTED) omitted.push(signed);
    }
    return { checks, omitted };
  });
}

const OMITTED = 'omitted';

/** What is not in a log that has ended may be in the one in its place: looking again would never find it. */
async function toldOfSuccessor(check: Shown, log: InLog['log']): Promise<Shown> {
  const lines = check.valid ? [] : await log.successor();
  return lines.length === 0 ? check : { ...check, detail: [check.detail, ...lines].join('\n') };
}

/** What shows that these were left out of the log: anybody who has it can check it again. */
export async function evidenceOfOmission(omitted: readonly Signed[], { log }: InLog) {
  const { checkpoint, entries } = await log.whole();
  const decoder = new TextDecoder();
  return { omitted, checkpoint, entries: entries.map((entry) => decoder.decode(entry)) };
}

type Shown = Omit<Check, 'what' | 'path'>;
type Signed = SignedInDocument['signed'];

/** All of the log: where a statement has no proof, or there are many. */
interface WholeLog {
  readonly checkpoint: string;
  readonly believed: Awaited<ReturnType<typeof believeCheckpoint>>;
  readonly entries: readonly Uint8Array[];
  /** Null: the entries are not all leaves of the checkpoint. */
  readonly leaves: ReadonlyMap<string, Leaf> | null;
}

function logOf({ policy, proof: fromFile, url }: InLogOptions) {
  if (fromFile !== null)
    return {
      proof: async () => fromFile,
      successor: async () => [],
      whole: () => Promise.reject(new Error('There is a proof.')),
    };
  const reader = createLogReader({ url: url() });
  let whole: Promise<WholeLog> | null = null;
  async function readWhole(): Promise<WholeLog> {
    const checkpoint = await reader.checkpoint();
    const believed = await believeCheckpoint(checkpoint, policy);
    if (!believed.valid) return { checkpoint, believed, entries: [], leaves: null };
    const entries = await readEntries(reader, 0, believed.checkpoint.size);
    const leaves = await readLeaves(entries, believed.checkpoint, ({ type }) => LOGGED_TYPES.has(type));
    return { checkpoint, believed, entries, leaves };
  }
  async function readNamed(): Promise<readonly string[]> {
    const { believed } = await readOnce();
    return (believed.valid && (await readSuccessor(reader, policy, believed.checkpoint.origin))) || [];
  }
  let named: Promise<readonly string[]> | null = null;
  const readOnce = () => {
    whole ??= readWhole();
    return whole;
  };
  return {
    proof: (digest: string) => reader.proof(digest),
    whole: readOnce,
    /** Lines that name the log which took the place of this one, or none. */
    successor() {
      named ??= readNamed();
      return named;
    },
  };
}

async function lookFor(
  signed: Signed,
  { checkpoint, believed, entries, leaves }: WholeLog,
  { policy, keys }: InLogOptions,
): Promise<Shown> {
  if (!believed.valid) return shownOrNot(believed);
  const entry = await logEntryOf(signed);
  if ('valid' in entry) return shownOrNot(entry);
  const leaf = leaves?.get(entry.digest);
  if (leaf !== undefined && leaf.keyId === entry.keyId && leaf.signedAt === entry.signedAt)
    return { valid: true, index: leaf.index, cosigned: believed.checkpoint.cosigned };
  const omitted = await verifyOmitted(signed, keys, { checkpoint, entries, policy });
  if (!omitted.valid) return notLogged(omitted.reason, signed);
  const detail = `It was promised to be in the log by ${omitted.logBy}, and none of the ${entries.length} entries is it: this is proven.`;
  return { valid: false, reason: OMITTED, detail };
}

const shownOrNot = (
  verdict: Awaited<ReturnType<typeof verifyLogged>> | LogInvalid | WholeLog['believed'],
): Shown =>
  verdict.valid
    ? {
        valid: true,
        ...('index' in verdict ? { index: verdict.index } : {}),
        cosigned: verdict.checkpoint.cosigned,
      }
    : { valid: false, reason: verdict.reason, detail: verdict.detail };

function notLogged(reason: string, { statement }: Signed): Shown {
  const logBy = isRecord(statement) ? statement.logBy : undefined;
  const detail =
    typeof logBy === 'string'
      ? `It is not in the log. It is promised to be by ${logBy}; look again after that.`
      : 'It is not in the log, and does not say by when it would be.';
  return { valid: false, reason: ABSENCES[reason] ?? reason, detail };
}

/** Receipts and what adds to them promise to be in the log, and nothing else does. */
const ABSENCES: Readonly<Record<string, string>> = {
  // It was logged between the two questions.
  is_logged: 'pending',
  not_due: 'pending',
  malformed: 'no_promise',
  wrong_type: 'no_promise',
};

const typeOf = ({ statement, type }: Signed) => (isRecord(statement) ? statement.type : type);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
