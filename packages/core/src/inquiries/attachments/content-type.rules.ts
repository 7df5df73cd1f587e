import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';

/** What is not on the list is served as this. */
export const OPAQUE_TYPE = 'application/octet-stream';

/** How files of a type begin, in hex; a dot stands for any digit. */
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['255044462d'],
  'application/zip': ['504b0304', '504b0506', '504b0708'],
  'image/gif': ['474946383761', '474946383961'],
  'image/jpeg': ['ffd8ff'],
  'image/png': ['89504e470d0a1a0a'],
  'image/webp': ['52494646........57454250'],
};
const LONGEST_BEGINNING_BYTES = 12;

/** The types that attachments are served as. */
export const SERVED_TYPES: readonly string[] = [
  'application/json',
  OPAQUE_TYPE,
  'application/pdf',
  'application/zip',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/csv',
  'text/markdown',
  'text/plain',
];

/** The binary type that a file begins as; null: none of the list. */
export function typeOfBytes(bytes: Uint8Array): string | null {
  const head = toHex(bytes.subarray(0, LONGEST_BEGINNING_BYTES));
  const begins = (beginning: string) =>
    [...beginning].every((digit, at) => digit === '.' || digit === head[at]);
  return Object.keys(BEGINNINGS).find((type) => BEGINNINGS[type]?.some(begins)) ?? null;
}

/**
 * The type that an attachment is stored and served as: the declared one, if it is of the list and the file begins as one of
 * that type does. A program that calls itself a picture is served as bytes. Texts begin with anything that no binary type has.
 */
export function servedType(declared: string, begun: string | null): string {
  const [essence = ''] = declared.toLowerCase().split(';', 1);
  const type = essence.trim();
  const expected = type in BEGINNINGS ? type : null;
  return SERVED_TYPES.includes(type) && begun === expected ? type : OPAQUE_TYPE;
}
