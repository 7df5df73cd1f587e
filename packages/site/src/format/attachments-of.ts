export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly contentBase64: string;
}

/** Bytes converted in one call: a function takes a limited number of arguments. A multiple of three. */
const STEP_BYTES = 3 * 8192;

/** The files of a form as the API takes them. The API itself refuses too large or too many ones. */
export function attachmentsOf(files: readonly File[]): Promise<Attachment[]> {
  return Promise.all(
    files.map(async (file) => ({
      filename: file.name || 'file',
      contentType: file.type || 'application/octet-stream',
      contentBase64: base64Of(new Uint8Array(await file.arrayBuffer())),
    })),
  );
}

function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += STEP_BYTES) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + STEP_BYTES))));
  }
  return parts.join('');
}
