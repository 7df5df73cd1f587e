/** What the picture of a title is drawn from: eight hexadecimal digits (FNV-1a), the same for the same title. */
export function pictureSeed(title: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < title.length; index += 1)
    hash = Math.imul(hash ^ title.charCodeAt(index), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** The picture of a listing, with the icon of its vertical. */
export function picturePath({ title, verticalSlug }: { title: string; verticalSlug: string }): string {
  return `/pictures/${encodeURIComponent(verticalSlug)}/${pictureSeed(title)}.svg`;
}

/** The same without the icon, as previews of links want it: 600 by 315, in a format that all of them read. */
export function previewPath(title: string): string {
  return `/pictures/${pictureSeed(title)}.png`;
}
