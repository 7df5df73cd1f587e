/** Buyers' queries travel in requests of at most 1 MiB; the rest of a message is small. */
const MAX_BYTES = 2 * 1024 * 1024;

/** The raw bytes of a request, or null if it is longer than any message of the marketplace. */
export async function readBody(request: Request): Promise<Uint8Array | null> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) return null;
  if (request.body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > MAX_BYTES) {
      // Not awaited, since a slow sender could block it.
      reader.cancel().catch(() => {});
      return null;
    }
    chunks.push(read.value);
  }
  return concat(chunks, length);
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
