/**
 * What could move the cursor, change colours, retitle the window, or turn the reading direction: sellers write titles,
 * descriptions and contents, and a terminal obeys such characters.
 */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Text that a stranger wrote, as it may be shown in a terminal: line breaks and tabs stay. */
export const plainText = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(UNSAFE, '\ufffd');

/** The same in one line. */
export const plainLine = (text: string): string => plainText(text).replaceAll(/\s+/g, ' ').trim();

/** JSON with the same value whose text is safe to show. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
