import { RefusedRequest } from './refusals.ts';

/** Buyers' queries travel in requests of at most 1 MiB; the rest of a message is small. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * The raw bytes of a request.
 *
 * @throws RefusedRequest if somebody read them before, or if they are too many, too slow or break off.
 */
export async function readBody(request: Request, timeoutMs: number): Promise<Uint8Array<ArrayBuffer>> {
  if (request.bodyUsed) throw new RefusedRequest('body_already_read');
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES)
    throw new RefusedRequest('body_too_large');
  if (request.body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RefusedRequest('body_too_slow')), timeoutMs);
  });
  try {
    return await Promise.race([readAll(reader), expired]);
  } catch (error) {
    // Not awaited, since a slow sender could block it.
    reader.cancel().catch(() => {});
    if (error instanceof RefusedRequest) throw error;
    throw new RefusedRequest('body_incomplete', error);
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > MAX_BYTES) throw new RefusedRequest('body_too_large');
    chunks.push(read.value);
  }
  return concat(chunks, length);
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
