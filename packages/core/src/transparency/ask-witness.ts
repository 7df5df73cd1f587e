import { formatWitnessRequest } from '@agent-marketplace/protocol/log/log-proof.ts';
import {
  formatNote,
  type Note,
  type NoteSignature,
  parseNote,
  verifyNote,
} from '@agent-marketplace/protocol/log/note.ts';
import { consistencyProof } from '@agent-marketplace/protocol/log/tiles.ts';
import type { TreeHead, Witness } from '../kernel/ports/transparency/transparency-log.ts';
import { tilesIn } from './grow-tree.ts';
import type { LogPorts } from './log-ports.ts';

/** A witness says at most once where it is, if nobody else asks it meanwhile. */
const MAX_TRIES = 2;

/** What became of asking it. */
export type WitnessOutcome =
  | { readonly kind: 'cosigned'; readonly signatures: readonly NoteSignature[] }
  /** It cosigned a tree of this log that this one does not lead to. */
  | { readonly kind: 'disputed' }
  /** It gave no cosignature that verifies. */
  | { readonly kind: 'failed' };

/**
 * Asks for its cosignatures of the checkpoint. The tiles of the head are stored.
 *
 * @param purpose a probe only finds out whether the witness knows another tree: its cosignature is published nowhere.
 */
export async function askWitness(
  ports: LogPorts,
  witness: Witness,
  head: TreeHead,
  note: Note,
  purpose: 'cosignature' | 'probe' = 'cosignature',
): Promise<WitnessOutcome> {
  const { clock, files, log, sinceStart, tree } = ports;
  const { id, name } = witness.key;
  const known = await tree.readWitness(id);
  const askedAt = clock.now();
  const checkpoint = formatNote(note);
  let oldSize = Math.min(known?.size ?? 0, head.size);
  let failure = 'conflict';
  let disputedSize: number | null = null;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const hashes = await consistencyProof(oldSize, head.size, tilesIn(files));
    const reply = await witness.addCheckpoint(formatWitnessRequest({ oldSize, hashes, checkpoint }));
    if (reply.kind === 'conflict' && reply.size <= head.size) {
      oldSize = reply.size;
      continue;
    }
    if (reply.kind === 'cosigned') {
      const signatures = await cosignaturesOf(witness, note.text, reply.lines);
      if (signatures.length > 0) {
        const times =
          purpose === 'probe'
            ? { cosignedAt: known?.cosignedAt ?? 0, askedAt: known?.askedAt ?? 0 }
            : { cosignedAt: askedAt, askedAt };
        await tree.setWitness(id, { size: head.size, ...times, disputedSize: null });
        sinceStart.witnesses.set(id, { askedAt, hasAnswered: true });
        return { kind: 'cosigned', signatures };
      }
      failure = 'no cosignature that verifies';
    } else if (reply.kind === 'failed') {
      failure = reply.reason;
    } else {
      disputedSize = reply.kind === 'conflict' ? reply.size : oldSize;
      failure = `it cosigned another tree, of ${disputedSize} leaves`;
    }
    break;
  }
  // Another run of this object may have grown the tree meanwhile, and asked before this one did.
  if (disputedSize !== null && disputedSize > head.size && (await tree.read()).head.size >= disputedSize)
    disputedSize = null;
  log.error(disputedSize === null ? 'witness_failed' : 'log_disputed', {
    witness: name,
    size: head.size,
    reason: failure,
  });
  await tree.setWitness(id, {
    size: oldSize,
    cosignedAt: known?.cosignedAt ?? 0,
    askedAt,
    // What it once cosigned it does not forget by not answering.
    disputedSize: disputedSize ?? known?.disputedSize ?? null,
  });
  // Once it is stored: a run that was cut off before that must ask again.
  sinceStart.witnesses.set(id, { askedAt, hasAnswered: disputedSize !== null });
  return { kind: disputedSize === null ? 'failed' : 'disputed' };
}

/** Other keys' lines are left out: a witness speaks for itself alone. */
async function cosignaturesOf({ key }: Witness, text: string, lines: string): Promise<NoteSignature[]> {
  const note = parseNote(`${text}\n${lines}`);
  if (note === null || note.text !== text) return [];
  const signatures = note.signatures.filter(({ keyId, name }) => keyId === key.id && name === key.name);
  const verdict = await verifyNote({ text, signatures }, key);
  return verdict.kind === 'valid' ? signatures : [];
}
