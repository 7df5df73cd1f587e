import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import {
  type Note,
  type NoteKey,
  parseNote,
  parseNoteKey,
  type VerifySignature,
  verifyNote,
} from './note.ts';

interface PolicyKey {
  readonly key: NoteKey;
  readonly url: string | null;
}

/** Whether a set of witnesses, by the policy's names, is enough. */
type Quorum = { readonly witness: string } | { readonly atLeast: number; readonly of: readonly Quorum[] };

/** Whom a verifier believes (c2sp.org/tlog-policy): its own file, never what a log says. */
export interface LogPolicy {
  readonly logs: readonly PolicyKey[];
  readonly witnesses: readonly (PolicyKey & { readonly name: string })[];
  readonly quorum: Quorum;
}

class LogPolicyError extends Error {
  override readonly name = 'LogPolicyError';

  constructor(line: number, fault: string) {
    super(`line ${line} of the policy: ${fault}`);
  }
}

const NONE: Quorum = { atLeast: 0, of: [] };

/** @throws LogPolicyError (rejects with it). */
export async function parseLogPolicy(text: string): Promise<LogPolicy> {
  const logs: PolicyKey[] = [];
  const witnesses: (PolicyKey & { name: string })[] = [];
  const named = new Map<string, Quorum>();
  const members = new Set<string>();
  let quorum: Quorum | null = null;
  for (const [at, line] of text.split('\n').entries()) {
    const fail = (fault: string): never => {
      throw new LogPolicyError(at + 1, fault);
    };
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the format allows no other control characters than tabs
    if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(line)) fail('a control character');
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    const [keyword = '', ...rest] = words;
    if (keyword === '' || keyword.startsWith('#')) continue;
    const define = (name: string, value: Quorum) => {
      if (name === 'none' || named.has(name)) fail(`the name ${name} is taken`);
      named.set(name, value);
    };
    const keyOf = async (vkey: string, type: 1 | 4, known: readonly PolicyKey[]): Promise<NoteKey> => {
      const key = await parseNoteKey(vkey);
      if (key === null || key.type !== type) return fail(`no key for a ${keyword}`);
      const isKnown = known.some((other) => isSameKey(other.key, key));
      return isKnown ? fail('this key is there already') : key;
    };
    switch (keyword) {
      case 'log': {
        const [vkey = '', url = null, ...more] = rest;
        if (more.length > 0) fail('too many words');
        logs.push({ key: await keyOf(vkey, 1, logs), url });
        break;
      }
      case 'witness': {
        const [name = '', vkey = '', url = null, ...more] = rest;
        if (more.length > 0) fail('too many words');
        const key = await keyOf(vkey, 4, witnesses);
        define(name, { witness: name });
        witnesses.push({ name, key, url });
        break;
      }
      case 'group': {
        const [name = '', threshold = '', ...names] = rest;
        const of = names.map((member) => {
          const value = named.get(member);
          if (value === undefined || members.has(member)) return fail(`${member} cannot be a member`);
          members.add(member);
          return value;
        });
        const atLeast = threshold === 'all' ? of.length : threshold === 'any' ? 1 : decimalOf(threshold);
        if (!(atLeast >= 1 && atLeast <= of.length)) fail('a threshold that its members cannot meet');
        define(name, { atLeast, of });
        break;
      }
      case 'quorum': {
        const [name = '', ...more] = rest;
        if (quorum !== null || more.length > 0) fail('one quorum, of one name');
        quorum = (name === 'none' ? NONE : named.get(name)) ?? fail(`nothing is named ${name}`);
        break;
      }
      default:
        fail(`${keyword} is not known`);
    }
  }
  if (quorum === null) throw new LogPolicyError(text.split('\n').length, 'a quorum is missing');
  return { logs, witnesses, quorum };
}

const decimalOf = (text: string) => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) : Number.NaN);
const isSameKey = (a: NoteKey, b: NoteKey) => a.publicKey.every((byte, at) => byte === b.publicKey[at]);

function isMet(quorum: Quorum, cosigned: ReadonlySet<string>): boolean {
  if ('witness' in quorum) return cosigned.has(quorum.witness);
  return quorum.of.filter((member) => isMet(member, cosigned)).length >= quorum.atLeast;
}

export type CheckpointFault =
  | 'malformed'
  /** No log of the policy has this origin. */
  | 'unknown_log'
  /** Without the log's signature, or with one that is not its own. */
  | 'log_signature'
  /** A witness of the policy is named whose cosignature does not verify. */
  | 'cosignature'
  /** Too few witnesses of the policy cosigned it. */
  | 'quorum';

/** What a policy says of a checkpoint. */
export type CheckpointVerdict =
  | { readonly valid: false; readonly reason: CheckpointFault }
  | {
      readonly valid: true;
      readonly checkpoint: Checkpoint;
      readonly note: Note;
      /** Those of the policy that cosigned it, and when (POSIX seconds). */
      readonly cosigned: readonly { readonly name: string; readonly seconds: number }[];
    };

/**
 * Whether a log of the policy signed the checkpoint and enough of its witnesses cosigned it.
 *
 * @param notBefore POSIX seconds: cosignatures before then count for nothing.
 * @param verify for platforms without Ed25519 of their own.
 */
export async function verifyCheckpoint(
  text: string,
  policy: LogPolicy,
  notBefore = 0,
  verify?: VerifySignature,
): Promise<CheckpointVerdict> {
  const note = parseNote(text);
  const checkpoint = note && parseCheckpoint(note.text);
  if (note === null || checkpoint === null) return { valid: false, reason: 'malformed' };
  const logs = policy.logs.filter(({ key }) => key.name === checkpoint.origin);
  if (logs.length === 0) return { valid: false, reason: 'unknown_log' };
  const signed = await Promise.all(logs.map(({ key }) => verifyNote(note, key, verify)));
  if (signed.some(({ kind }) => kind === 'invalid') || signed.every(({ kind }) => kind === 'none'))
    return { valid: false, reason: 'log_signature' };
  const cosigned: { name: string; seconds: number }[] = [];
  for (const { name, key } of policy.witnesses) {
    const verdict = await verifyNote(note, key, verify);
    if (verdict.kind === 'invalid') return { valid: false, reason: 'cosignature' };
    if (verdict.kind === 'valid') cosigned.push({ name, seconds: verdict.seconds ?? 0 });
  }
  const counted = new Set(cosigned.filter(({ seconds }) => seconds >= notBefore).map(({ name }) => name));
  if (!isMet(policy.quorum, counted)) return { valid: false, reason: 'quorum' };
  return { valid: true, checkpoint, note, cosigned };
}
