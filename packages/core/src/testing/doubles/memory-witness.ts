import { parseCheckpoint } from '@agent-marketplace/protocol/log/checkpoint.ts';
import { parseWitnessRequest } from '@agent-marketplace/protocol/log/log-proof.ts';
import { emptyRoot, verifyConsistency } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import {
  cosignNote,
  formatNoteKey,
  formatSignature,
  noteSignerOf,
  parseNote,
} from '@agent-marketplace/protocol/log/note.ts';
import { createSigner } from '../../adapters/keys/keyring.ts';
import type { Witness } from '../../kernel/ports/transparency/transparency-log.ts';
import { TEST_SIGNING_KEY } from '../marketplace/test-bindings.ts';

/** A witness as others run them: it cosigns what its own last checkpoint leads to. */
export async function newMemoryWitness() {
  const signer = await noteSignerOf(createSigner(TEST_SIGNING_KEY), 'witness.test', 4);
  const state = {
    size: 0,
    root: await emptyRoot(),
    seconds: 1_780_000_000,
    isDown: false,
    asked: 0,
    oldSizes: [] as number[],
  };
  const witness: Witness = {
    key: signer.key,
    async addCheckpoint(text) {
      state.asked += 1;
      if (state.isDown) return { kind: 'failed', reason: 'down' };
      const request = parseWitnessRequest(text);
      const note = request && parseNote(request.checkpoint);
      const checkpoint = note && parseCheckpoint(note.text);
      if (request === null || note === null || checkpoint === null)
        return { kind: 'failed', reason: 'malformed' };
      state.oldSizes.push(request.oldSize);
      if (request.oldSize !== state.size) return { kind: 'conflict', size: state.size };
      if (!(await verifyConsistency(state, checkpoint, request.hashes))) return { kind: 'disputed' };
      Object.assign(state, { size: checkpoint.size, root: checkpoint.root });
      return { kind: 'cosigned', lines: formatSignature(await cosignNote(note.text, signer, state.seconds)) };
    },
  };
  return { witness, state, vkey: formatNoteKey(signer.key) };
}
