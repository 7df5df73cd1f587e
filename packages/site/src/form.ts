/** Longer than any form here needs to be; what is verified may hold a whole deliverable. */
const MAX_FORM_BYTES = 1024 * 1024;

export type FormReading =
  | { readonly kind: 'read'; readonly fields: URLSearchParams }
  | { readonly kind: 'too_large' | 'not_a_form' | 'foreign' };

/** Reads the fields of a form that one of our own pages sent. */
export async function readForm(request: Request): Promise<FormReading> {
  // Where the referrer is withheld, so is the origin; this header says it, and scripts cannot set it.
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return { kind: 'foreign' };
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) return { kind: 'not_a_form' };
  const text = await readCapped(request.body, MAX_FORM_BYTES);
  return text === null ? { kind: 'too_large' } : { kind: 'read', fields: new URLSearchParams(text) };
}

async function readCapped(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string | null> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
