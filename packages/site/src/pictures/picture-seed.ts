/** What the picture of a title is drawn from: eight hexadecimal digits (FNV-1a), the same for the same title. */
export function pictureSeed(title: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < title.length; index += 1)
    hash = Math.imul(hash ^ title.charCodeAt(index), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
