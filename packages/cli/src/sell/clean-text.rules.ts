/** What the marketplace refuses in texts that others read, and what would move a terminal's cursor. */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A foreign text in one line, of at most so many characters. */
export function cleanLine(text: string, longest: number): string {
  return shorten(text.replaceAll(/\s+/g, ' ').replaceAll(UNSAFE, '').trim(), longest);
}

/** A foreign text with its lines. */
export function cleanText(text: string, longest: number): string {
  return shorten(text.replaceAll('\r\n', '\n').replaceAll(UNSAFE, '').trim(), longest);
}

function shorten(text: string, longest: number): string {
  const characters = [...text.toWellFormed()];
  return characters.length <= longest
    ? characters.join('')
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}
