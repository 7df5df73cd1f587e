export interface ReadLimits {
  readonly maxBytes: number;
  /** The declared length of the bytes as they are read; null where they are decompressed or it is unknown. */
  readonly declaredBytes: number | null;
  /** Called once, before the buffer grows beyond `SMALL_BYTES`. */
  readonly beforeLarge?: () => Promise<void>;
  /** Called with the bytes received so far: they are there until it returns. */
  readonly onProgress?: (received: Uint8Array) => void;
}

const FIRST_BUFFER_BYTES = 16 * 1024;
const SMALL_BYTES = 128 * 1024;

/**
 * Reads a stream into one buffer. Over `maxBytes`, cancels it and returns null. A reader with its own buffer needs a
 * tenth of the reads that default chunks of 4 KB need in workerd.
 */
export async function readCapped(
  stream: ReadableStream<Uint8Array>,
  { maxBytes, declaredBytes, beforeLarge, onProgress }: ReadLimits,
): Promise<Uint8Array | null> {
  const reader = stream.getReader({ mode: 'byob' });
  let isLarge = false;
  // One byte more than allowed or declared, so that a longer body is noticed.
  let size = Math.min(declaredBytes ?? FIRST_BUFFER_BYTES, SMALL_BYTES, maxBytes) + 1;
  let buffer = new ArrayBuffer(size);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(buffer, length, size - length));
    if (value) {
      buffer = value.buffer as ArrayBuffer;
      length += value.byteLength;
      if (length <= maxBytes) onProgress?.(new Uint8Array(buffer, 0, length));
    }
    if (done) return new Uint8Array(buffer, 0, length);
    if (length > maxBytes) {
      reader.cancel().catch(() => {});
      return null;
    }
    if (length < size) continue;

    const next = Math.max(declaredBytes ?? 0, size * 2);
    if (next > SMALL_BYTES && !isLarge) {
      isLarge = true;
      await beforeLarge?.();
    }
    size = Math.min(next, maxBytes) + 1;
    buffer = buffer.transfer(size);
  }
}
