import type { NoteKey } from '@agent-marketplace/protocol/log/note.ts';
import type { Witness, WitnessReply } from '../../kernel/ports/transparency/transparency-log.ts';
import { readCapped } from '../../kernel/read-capped.ts';

/** Checkpoints wait so long for a witness that does not answer. */
const TIMEOUT_MS = 5000;
const MAX_REPLY_BYTES = 64 * 1024;
const SIZE = /^(0|[1-9]\d{0,15})\n$/;

/** A witness over HTTPS (c2sp.org/tlog-witness): the operator of the log chose its address. */
export function createLogWitness(key: NoteKey, url: string, fetch: typeof globalThis.fetch): Witness {
  async function ask(body: string): Promise<WitnessReply> {
    const response = await fetch(`${url}/add-checkpoint`, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const stream = response.body ?? new Blob([]).stream();
    const bytes = await readCapped(stream, { maxBytes: MAX_REPLY_BYTES, declaredBytes: null });
    if (bytes === null) return { kind: 'failed', reason: 'a longer answer than any cosignature' };
    const text = new TextDecoder().decode(bytes);
    if (response.status === 200) return { kind: 'cosigned', lines: text };
    const [, size] = response.status === 409 ? (SIZE.exec(text) ?? []) : [];
    if (size !== undefined && Number.isSafeInteger(Number(size)))
      return { kind: 'conflict', size: Number(size) };
    // 409 without a size: another tree of this size. 422: the tree that it cosigned is not the beginning of this one.
    if (response.status === 409 || response.status === 422) return { kind: 'disputed' };
    return { kind: 'failed', reason: `status ${response.status}` };
  }
  return {
    key,
    async addCheckpoint(request) {
      try {
        return await ask(request);
      } catch (error) {
        return { kind: 'failed', reason: String(error) };
      }
    },
  };
}
