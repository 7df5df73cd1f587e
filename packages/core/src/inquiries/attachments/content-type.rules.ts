/** Bytes of no known type: what is not on the list is served as this. */
export const OPAQUE_TYPE = 'application/octet-stream';

type Check = (bytes: Uint8Array) => boolean;

/** The types that attachments are served as, each with the check that the bytes are of it. */
const CHECKS: Readonly<Record<string, Check>> = {
  'application/json': (bytes) => isJson(bytes),
  'application/pdf': startsWith('%PDF-'),
  'application/zip': (bytes) => ['PK\x03\x04', 'PK\x05\x06'].some((mark) => startsWith(mark)(bytes)),
  'image/gif': (bytes) => ['GIF87a', 'GIF89a'].some((mark) => startsWith(mark)(bytes)),
  'image/jpeg': startsWith('\xff\xd8\xff'),
  'image/png': startsWith('\x89PNG\r\n\x1a\n'),
  'image/webp': (bytes) => startsWith('RIFF')(bytes) && startsWith('WEBP', 8)(bytes),
  'text/csv': (bytes) => textOf(bytes) !== null,
  'text/markdown': (bytes) => textOf(bytes) !== null,
  'text/plain': (bytes) => textOf(bytes) !== null,
};

export const SERVED_TYPES: readonly string[] = [...Object.keys(CHECKS), OPAQUE_TYPE].sort();

/**
 * The type that an attachment is stored and served as. A type that is not on the list becomes opaque. Null: the type
 * is on the list, and the bytes are not of it.
 */
export function servedType(declared: string, bytes: Uint8Array): string | null {
  const [essence = ''] = declared.toLowerCase().split(';', 1);
  const type = essence.trim();
  const check = Object.hasOwn(CHECKS, type) ? CHECKS[type] : undefined;
  if (check === undefined) return OPAQUE_TYPE;
  return check(bytes) ? type : null;
}

function startsWith(mark: string, at = 0): Check {
  return (bytes) => [...mark].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}

/** Control characters that no text contains: bytes with one of them are not text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NOT_IN_TEXT = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    return NOT_IN_TEXT.test(text) ? null : text;
  } catch {
    return null;
  }
}

function isJson(bytes: Uint8Array): boolean {
  const text = textOf(bytes);
  if (text === null) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
