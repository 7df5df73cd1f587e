import {
  believeCheckpoint,
  createLogReader,
  type KeySet,
  type LogPolicy,
  LogUnavailableError,
  verifyLogged,
  verifyOmitted,
} from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Check } from './verify-document.ts';

export interface InLogOptions {
  readonly policy: LogPolicy;
  readonly keys: KeySet;
  /** The prefix of the log, as a function: nothing is asked for where there is a proof. */
  readonly url: () => string;
  /** The text of a proof of the one statement; null: the log is asked. */
  readonly proof: string | null;
}

/** Checks of each signed statement of a document that it stands in the log. */
export async function verifyInLog(value: unknown, options: InLogOptions): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const signed of statementsOf(value)) checks.push(await checkOne(signed, options));
  return checks;
}

type Signed = Readonly<Record<string, unknown>> & { readonly digest: string };

async function checkOne(
  signed: Signed,
  { policy, keys, url, proof: fromFile }: InLogOptions,
): Promise<Check> {
  const reader = fromFile === null ? createLogReader({ url: url() }) : null;
  try {
    const proof = fromFile ?? (await reader?.proof(signed.digest)) ?? null;
    if (proof !== null) {
      const logged = await verifyLogged(signed, proof, policy);
      return logged.valid
        ? { what: 'log', valid: true, index: logged.index, cosigned: logged.checkpoint.cosigned }
        : { what: 'log', valid: false, reason: logged.reason, detail: logged.detail };
    }
    const checkpoint = (await reader?.checkpoint()) ?? '';
    const believed = await believeCheckpoint(checkpoint, policy);
    if (!believed.valid)
      return { what: 'log', valid: false, reason: believed.reason, detail: believed.detail };
    const { size } = believed.checkpoint;
    const entries = reader?.entries(0, size) ?? [];
    const omitted = await verifyOmitted(signed, keys, { checkpoint, entries, policy });
    if (!omitted.valid) return notLogged(omitted.reason, signed);
    const detail = `It was promised to be in the log by ${omitted.logBy}, and none of the ${size} entries is it: this is proven.`;
    return { what: 'log', valid: false, reason: 'omitted', detail };
  } catch (error) {
    if (!(error instanceof LogUnavailableError)) throw error;
    const exit = error.status === null ? 'unreachable' : 'try_later';
    throw new CliFailure(exit, `The log cannot be read: ${error.message}.`);
  }
}

function notLogged(reason: string, { statement }: Signed): Check {
  const logBy = isRecord(statement) ? statement.logBy : undefined;
  const detail =
    typeof logBy === 'string'
      ? `It is not in the log. It is promised to be by ${logBy}; look again after that.`
      : 'It is not in the log, and does not say by when it would be.';
  return { what: 'log', valid: false, reason: ABSENCES[reason] ?? reason, detail };
}

/** Receipts and what adds to them promise to be in the log, and nothing else does. */
const ABSENCES: Readonly<Record<string, string>> = {
  // It was logged between the two questions.
  is_logged: 'pending',
  not_due: 'pending',
  malformed: 'no_promise',
  wrong_type: 'no_promise',
};

/** The statements of a document that may stand in the log: itself, those that it holds, the entries of its history. */
function statementsOf(value: unknown): Signed[] {
  if (!isRecord(value)) return [];
  const { listingId, entries } = value;
  const history = Array.isArray(entries) && typeof listingId === 'string' ? entries.filter(isRecord) : [];
  return [
    ...[value, value.receipt, value.redelivery, value.attestation].filter(
      (one) => isRecord(one) && isRecord(one.statement),
    ),
    ...history.map((entry) => ({ ...entry, type: 'listing_history_entry', signedAt: entry.changedAt })),
  ].filter((one): one is Signed => isRecord(one) && typeof one.digest === 'string');
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
