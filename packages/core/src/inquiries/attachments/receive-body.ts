import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { FileLifter, type LiftedFile } from '../../kernel/json/file-lifter.ts';
import type { AttachmentStore } from '../../kernel/ports/attachment-store.ts';
import type { FilesOfBody, ReceivedBody, ReceivedFile, Uploads } from '../../kernel/ports/uploads.ts';
import { MINUTE_MS } from '../../kernel/time.ts';

const READ_BYTES = 64 * 1024;
/** The largest body takes as long at 1.5 Mbit/s. Reading one that arrives more slowly ends, so that it holds no memory. */
export const MAX_UPLOAD_MS = 3 * MINUTE_MS;

/** Reads bodies of JSON part by part and stores their files one after the other: only one is in memory at a time. */
export function createBodyReceiver(store: Pick<AttachmentStore, 'put'>, maxMs = MAX_UPLOAD_MS): Uploads {
  return {
    async receive(body, shape, { maxBytes, maxTextBytes }): Promise<ReceivedBody> {
      const lifter = new FileLifter(shape, maxTextBytes);
      const files: ReceivedFile[] = [];
      let bytes = 0;
      for await (const part of partsOf(body, maxMs)) {
        if (typeof part === 'string') return { kind: part };
        bytes += part.length;
        if (bytes > maxBytes) return { kind: 'too_large' };
        if (lifter.end() === null) return { kind: 'text_too_large' };
        const lifted = lifter.write(part);
        for (let next = lifted.next(''); !next.done; ) {
          const file = await storeFile(store, next.value, shape, files);
          if (file === null) return { kind: 'unavailable' };
          files.push(file);
          next = lifted.next(file.mark);
        }
      }
      const text = lifter.end();
      return text === null
        ? { kind: 'text_too_large' }
        : { kind: 'read', text, files: files.filter(({ mark }) => mark !== REFUSED) };
    },
  };
}

/** Null: it could not be stored. After a file that is refused, none is: the whole request will be. */
async function storeFile(
  store: Pick<AttachmentStore, 'put'>,
  file: LiftedFile,
  { maxFiles, maxFileBytes }: FilesOfBody,
  earlier: readonly ReceivedFile[],
): Promise<ReceivedFile | null> {
  if (file === 'not_base64') return { mark: REFUSED, sizeBytes: 0 };
  if (file === 'too_large') return { mark: 'too large', sizeBytes: maxFileBytes + 1 };
  const isRefused = earlier.length >= maxFiles || earlier.some(({ mark }) => !mark.startsWith(STORED));
  if (isRefused) return { mark: REFUSED, sizeBytes: 0 };
  const sha256 = await sha256Hex(file);
  if ((await store.put(sha256, file)) === 'unavailable') return null;
  return { mark: STORED + sha256, sizeBytes: file.length };
}

const CUT_OFF = { done: null, value: undefined };

/** No base64 either, and no file: it is refused like any other text that is none. */
const REFUSED = '*';

/** No base64 has a colon: what a caller wrote is never taken for a file that is stored. */
const STORED = 'sha256:';

/** The SHA-256 of a file that was stored on its way here. */
export function storedSha256(mark: string): string {
  return mark.slice(STORED.length);
}

/**
 * One buffer for all parts: each is read before the next one is asked for. `unavailable`, and nothing more, once it takes
 * too long; `cut_off` where the stream breaks. Leaving the loop cancels the stream.
 */
async function* partsOf(
  stream: ReadableStream<Uint8Array>,
  maxMs: number,
): AsyncGenerator<Uint8Array | 'unavailable' | 'cut_off'> {
  const reader = stream.getReader({ mode: 'byob' });
  let buffer = new ArrayBuffer(READ_BYTES);
  const deadline = AbortSignal.timeout(maxMs);
  // Ends the read that waits.
  deadline.addEventListener('abort', () => void reader.cancel().catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer)).catch(() => CUT_OFF);
      if (deadline.aborted) return yield 'unavailable';
      if (done === null) return yield 'cut_off';
      if (done || value === undefined) return;
      yield value;
      buffer = value.buffer as ArrayBuffer;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
