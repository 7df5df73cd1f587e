import {
  type Checkpoint,
  formatCheckpoint,
  parseCheckpoint,
} from '@agent-marketplace/protocol/log/checkpoint.ts';
import { isSameHash } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import {
  formatNote,
  type Note,
  type NoteSigner,
  parseNote,
  signNote,
} from '@agent-marketplace/protocol/log/note.ts';
import type { TreeHead, Witness, WitnessState } from '../kernel/ports/transparency/transparency-log.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS } from '../kernel/time.ts';
import { askWitness } from './ask-witness.ts';
import type { LogPorts } from './log-ports.ts';

/** A proof of omission needs a cosignature of after the promised time: there is one within the hour, of an idle log as well. */
const COSIGNED_EVERY_MS = HOUR_MS;
/** A witness that did not cosign would hold up every checkpoint for as long as its answer may take. */
const RETRY_MS = MINUTE_MS;

export interface PublishedCheckpoint {
  /** As it is served. */
  readonly text: string;
  readonly note: Note;
  readonly checkpoint: Checkpoint;
}

/** What everybody reads now, and what to replace it by. `published` null: nothing, or no checkpoint of this log. */
async function readStored({ files, signers }: Pick<LogPorts, 'files' | 'signers'>) {
  const stored = await files.readCheckpoint();
  const published = stored && checkpointIn(stored.text, originOf(signers));
  return { version: stored?.version ?? null, published };
}

/** Null: nothing, or no checkpoint of this log. */
export const readPublished = async (ports: LogPorts): Promise<PublishedCheckpoint | null> =>
  (await readStored(ports)).published;

const originOf = ([{ key }]: LogPorts['signers']) => key.name;

/** Whether these keys are those of the log: each signed, and none that it has no more. */
export const isSignedBy = (keyIds: readonly string[], signers: readonly NoteSigner[]): boolean =>
  keyIds.length === signers.length && signers.every(({ key }) => keyIds.includes(key.id));

/** Null: no checkpoint of the log of this origin. */
export function checkpointIn(text: string, origin: string): PublishedCheckpoint | null {
  const note = parseNote(text);
  const checkpoint = note && parseCheckpoint(note.text);
  if (note === null || checkpoint?.origin !== origin) return null;
  return { text, note, checkpoint };
}

/**
 * What a head is to what everybody reads. `overtaken`: another run of this object has published more. `disputed`: nothing that
 * the object remembers leads there, as after it was put back to an earlier state. `shorter`: the head was published, and everybody
 * reads less than that: the checkpoint was put back, and is to be published again.
 */
export async function standingOf(
  ports: LogPorts,
  head: TreeHead,
  wasPublished: boolean,
): Promise<'current' | 'overtaken' | 'disputed' | 'shorter'> {
  const published = await readPublished(ports);
  const size = published?.checkpoint.size ?? null;
  if (wasPublished && (size === null || size < head.size)) {
    ports.log.error('log_put_back', { size: head.size, published: size });
    return 'shorter';
  }
  return published === null ? 'current' : compare(ports, head, published.checkpoint);
}

async function compare({ log, tree }: LogPorts, head: TreeHead, published: Checkpoint) {
  const isSame = published.size === head.size && isSameHash(published.root, head.root);
  if (published.size < head.size || isSame) return 'current';
  if (published.size > head.size && (await tree.read()).head.size >= published.size) return 'overtaken';
  log.error('log_behind', { size: head.size, published: published.size });
  return 'disputed';
}

/** The witnesses that are to be asked for a cosignature of this head now. */
export async function witnessesDue({ clock, tree, witnesses }: LogPorts, head: TreeHead): Promise<Witness[]> {
  const states = await Promise.all(witnesses.map(({ key }) => tree.readWitness(key.id)));
  return witnesses.filter((_, index) => isDue(states[index] ?? null, head, clock.now()));
}

/**
 * Signs a stored head and publishes it with what cosignatures the witnesses give. `disputed`: more is published, or a witness
 * cosigned another tree. Then nothing is published: whoever holds the other tree would have two that contradict each other.
 */
export async function publishCheckpoint(
  ports: LogPorts,
  head: TreeHead,
  due: readonly Witness[],
): Promise<'published' | 'overtaken' | 'disputed'> {
  const { files, signers, tree, witnesses } = ports;
  const { version, published } = await readStored(ports);
  const standing = published === null ? 'current' : await compare(ports, head, published.checkpoint);
  if (standing !== 'current') return standing;
  const origin = originOf(signers);
  const note = await signNote(formatCheckpoint({ origin, ...head }), signers);
  const isSameTree = published?.note.text === note.text;
  const isPublished = isSameTree && isSignedBy(keyIdsOf(published.note, origin), signers);
  const outcomes = await Promise.all(due.map((witness) => askWitness(ports, witness, head, note)));
  if (outcomes.some(({ kind }) => kind === 'disputed')) return 'disputed';
  const cosignatures = outcomes.flatMap((one) => (one.kind === 'cosigned' ? one.signatures : []));
  if (!isPublished || cosignatures.length > 0) {
    const kept = isSameTree ? earlierCosignatures(published.note, witnesses, cosignatures) : [];
    const signatures = [...note.signatures, ...cosignatures, ...kept];
    const text = formatNote({ text: note.text, signatures });
    if (!(await files.replaceCheckpoint(text, version))) return 'overtaken';
  }
  await tree.setPublished(head.size, keyIdsOf(note, origin));
  return 'published';
}

/** The keys of the log that signed a note. */
const keyIdsOf = ({ signatures }: Note, origin: string) =>
  signatures.flatMap(({ name, keyId }) => (name === origin ? [keyId] : []));

function isDue(state: WitnessState | null, head: TreeHead, now: EpochMs): boolean {
  if (state === null) return true;
  const isCosigned = state.size === head.size && now - state.cosignedAt < COSIGNED_EVERY_MS;
  const hasFailed = state.askedAt > state.cosignedAt;
  return !isCosigned && !(hasFailed && now - state.askedAt < RETRY_MS);
}

/** Of the same text, by witnesses that gave no newer one. */
function earlierCosignatures(note: Note, witnesses: readonly Witness[], newer: Note['signatures']) {
  return note.signatures.filter(
    ({ keyId, name }) =>
      witnesses.some(({ key }) => key.id === keyId && key.name === name) &&
      !newer.some((one) => one.keyId === keyId && one.name === name),
  );
}
