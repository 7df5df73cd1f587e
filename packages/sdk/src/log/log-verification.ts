import {
  type CheckpointFault,
  type CheckpointVerdict,
  verifyCheckpoint,
} from '@agent-marketplace/protocol/log/log-policy.ts';
import { verifyBytes } from '../crypto.ts';
import type { InvalidReason } from '../verify/verification.ts';

/**
 * Why something is not shown by the log:
 *
 * - `malformed`, `digest_mismatch` and the like: as for statements (`InvalidReason`).
 * - `unknown_log`: the policy names no log with this origin.
 * - `log_signature`: the log's signature is missing or not its own.
 * - `cosignature`: a cosignature under the name of a witness of the policy is not its own.
 * - `quorum`: too few witnesses of the policy cosigned the checkpoint.
 * - `not_included`: the proof does not lead from this statement to the checkpoint.
 * - `inconsistent`: the proof does not show that the older checkpoint is the beginning of the newer one.
 * - `no_promise`: the receipt has no `logBy`, as those of before the log: its absence proves nothing.
 * - `not_due`: no quorum of witnesses cosigned the checkpoint after `logBy`.
 * - `incomplete`: the entries are not all leaves of the checkpoint.
 * - `is_logged`: the statement is among the entries.
 * - `superseded`: the policy names a log that took the place of this one, and has what came since.
 * - `erased`: the texts were erased by which it could be told what the log has of it.
 */
export type LogFault =
  | InvalidReason
  | CheckpointFault
  | 'not_included'
  | 'inconsistent'
  | 'no_promise'
  | 'not_due'
  | 'incomplete'
  | 'is_logged'
  | 'superseded'
  | 'erased';

export interface LogInvalid {
  readonly valid: false;
  readonly reason: LogFault;
  /** One sentence for a log. */
  readonly detail: string;
}

/** A checkpoint that a policy believes. */
export interface BelievedCheckpoint {
  readonly origin: string;
  /** Leaves. */
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
  /** The witnesses of the policy that cosigned it, and when: ISO-8601 UTC. */
  readonly cosigned: readonly { readonly name: string; readonly at: string }[];
}

export type LogVerification<T extends object = object> = (T & { readonly valid: true }) | LogInvalid;

export function logInvalid(reason: LogFault, detail: string): LogInvalid {
  return { valid: false, reason, detail };
}

export const CHECKPOINT_FAULTS: Readonly<Record<CheckpointFault, string>> = {
  malformed: 'The checkpoint is no signed note of a log.',
  unknown_log: 'The policy names no log with this origin.',
  log_signature: 'The checkpoint is not signed by the log of the policy.',
  cosignature: 'A cosignature of a witness of the policy does not verify.',
  quorum: 'Too few witnesses of the policy cosigned the checkpoint.',
};

/** As `verifyCheckpoint`, on platforms without Ed25519 too. */
export async function believeCheckpoint(
  text: string,
  policy: Parameters<typeof verifyCheckpoint>[1],
  notBeforeSeconds = 0,
): Promise<LogVerification<{ readonly checkpoint: BelievedCheckpoint }>> {
  const verdict = await verifyCheckpoint(text, policy, notBeforeSeconds, verifyBytes);
  return verdict.valid
    ? { valid: true, checkpoint: believedOf(verdict) }
    : logInvalid(verdict.reason, CHECKPOINT_FAULTS[verdict.reason]);
}

/**
 * The same where something is found not to be in the log: of a log that ended, its last checkpoint alone says nothing, as its
 * witnesses may be asked to cosign that for as long as they know its key.
 */
export async function believeNewestLog(
  ...[text, policy, notBeforeSeconds]: Parameters<typeof believeCheckpoint>
): ReturnType<typeof believeCheckpoint> {
  const believed = await believeCheckpoint(text, policy, notBeforeSeconds);
  if (!believed.valid || !policy.logs.some(({ key }) => isAfter(key.name, believed.checkpoint.origin)))
    return believed;
  return logInvalid('superseded', 'The policy names a log that took the place of this one: look there.');
}

/** Whether one is a later log of the same marketplace: `<host>/api/log/2` is the second. */
function isAfter(origin: string, other: string): boolean {
  const [[name, number], [otherName, otherNumber]] = [numberedOf(origin), numberedOf(other)];
  return name === otherName && number > otherNumber;
}

function numberedOf(origin: string): readonly [name: string, number: number] {
  const [, name = origin, number = '1'] = /^(.*)\/([2-9])$/.exec(origin) ?? [];
  return [name, Number(number)];
}

/** As the SDK shows a checkpoint that was verified. */
export function believedOf({
  checkpoint,
  cosigned,
}: Pick<Extract<CheckpointVerdict, { valid: true }>, 'checkpoint' | 'cosigned'>): BelievedCheckpoint {
  const witnesses = cosigned.map(({ name, seconds }) => ({
    name,
    at: new Date(seconds * 1000).toISOString(),
  }));
  return { ...checkpoint, cosigned: witnesses };
}
