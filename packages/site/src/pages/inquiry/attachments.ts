export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly contentBase64: string;
}

/** So many bytes at a time become text: a function takes only so many arguments. A multiple of three. */
const STEP_BYTES = 3 * 8192;

/** Files of a form as the API takes them. What is too large or too many, it refuses itself. */
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
