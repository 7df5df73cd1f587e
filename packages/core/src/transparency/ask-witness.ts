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

/** Its cosignatures of the checkpoint; none: it gave none that verifies. The tiles of the head are stored. */
export async function askWitness(
  { clock, files, log, tree }: LogPorts,
  witness: Witness,
  head: TreeHead,
  note: Note,
): Promise<readonly NoteSignature[]> {
  const known = await tree.readWitness(witness.key.id);
  const askedAt = clock.now();
  const checkpoint = formatNote(note);
  let oldSize = Math.min(known?.size ?? 0, head.size);
  let failure = 'conflict';
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
        await tree.setWitness(witness.key.id, { size: head.size, cosignedAt: askedAt, askedAt });
        return signatures;
      }
      failure = 'no cosignature that verifies';
    } else {
      failure = reply.kind === 'failed' ? reply.reason : `it cosigned ${reply.size} leaves`;
    }
    break;
  }
  log.error('witness_failed', { witness: witness.key.name, size: head.size, reason: failure });
  await tree.setWitness(witness.key.id, { size: oldSize, cosignedAt: known?.cosignedAt ?? 0, askedAt });
  return [];
}

/** Other keys' lines are left out: a witness speaks for itself alone. */
async function cosignaturesOf({ key }: Witness, text: string, lines: string): Promise<NoteSignature[]> {
  const note = parseNote(`${text}\n${lines}`);
  if (note === null || note.text !== text) return [];
  const signatures = note.signatures.filter(({ keyId, name }) => keyId === key.id && name === key.name);
  const verdict = await verifyNote({ text, signatures }, key);
  return verdict.kind === 'valid' ? signatures : [];
}
