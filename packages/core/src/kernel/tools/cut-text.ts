const encoder = new TextEncoder();

export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

/**
 * The beginning of a text, on one line and with a sign that there is more. The bytes bound what is in scripts of
 * several bytes a character. No character is cut in two.
 */
export function cutText(text: string, maxCharacters: number, maxBytes = 4 * maxCharacters): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= maxCharacters && utf8Bytes(line) <= maxBytes) return line;
  let kept = '';
  let bytes = utf8Bytes('…');
  for (const character of line) {
    bytes += utf8Bytes(character);
    if (kept.length + character.length >= maxCharacters || bytes > maxBytes) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
