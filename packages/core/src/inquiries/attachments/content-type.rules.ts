/** What is not on the list is served as this. */
export const OPAQUE_TYPE = 'application/octet-stream';

/** The types that attachments are served as. Their bytes are not looked at, because no browser renders a download. */
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

/** The type that an attachment is stored and served as. Any other than those of the list becomes opaque. */
export function servedType(declared: string): string {
  const [essence = ''] = declared.toLowerCase().split(';', 1);
  const type = essence.trim();
  return SERVED_TYPES.includes(type) ? type : OPAQUE_TYPE;
}
