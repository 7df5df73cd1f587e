import { readCapped } from '@agent-marketplace/core/kernel/read-capped.ts';

/** Forms without files are short, except for a pasted answer on `/verify` that contains a deliverable. */
const MAX_FORM_BYTES = 1024 * 1024;
/** Five attachments of 4 MiB, the limit of an inquiry, and the multipart overhead. */
const MAX_FORM_WITH_FILES_BYTES = 21 * 1024 * 1024;

export interface SentForm {
  readonly fields: URLSearchParams;
  /** Chosen files only: an empty file field gives none. */
  readonly files: readonly File[];
}

export type FormReading =
  | ({ readonly kind: 'read' } & SentForm)
  | { readonly kind: 'too_large' | 'not_a_form' | 'foreign' };

/** Reads a form that one of our own pages sent. */
export async function readForm(request: Request): Promise<FormReading> {
  if (isForeign(request)) return { kind: 'foreign' };
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) return readMultipart(request.body, type);
  if (!type.startsWith('application/x-www-form-urlencoded')) return { kind: 'not_a_form' };
  const bytes = await readBody(request.body, MAX_FORM_BYTES);
  if (bytes === null) return { kind: 'too_large' };
  return { kind: 'read', fields: new URLSearchParams(new TextDecoder().decode(bytes)), files: [] };
}

/**
 * Whether a page of somebody else sent the form. Scripts cannot set these headers. Our pages send no referrer, and then no
 * origin either; browsers of before 2023 name only the origin.
 */
function isForeign({ url, headers }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  const origin = headers.get('origin');
  return origin !== null && origin !== 'null' && origin !== new URL(url).origin;
}

async function readMultipart(body: ReadableStream<Uint8Array> | null, type: string): Promise<FormReading> {
  const bytes = await readBody(body, MAX_FORM_WITH_FILES_BYTES);
  if (bytes === null) return { kind: 'too_large' };
  const data = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } })
    .formData()
    .catch(() => null);
  if (data === null) return { kind: 'not_a_form' };
  const fields = new URLSearchParams();
  const files: File[] = [];
  for (const [name, value] of data) {
    if (typeof value === 'string') fields.append(name, value);
    else if (value.size > 0 || value.name !== '') files.push(value);
  }
  return { kind: 'read', fields, files };
}

async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | null> {
  return body === null ? new Uint8Array() : readCapped(body, { maxBytes, declaredBytes: null });
}
