/** Somebody else's text as part of one line, such as a subject: line breaks in it would add headers. */
export function oneLine(text: string, maxCharacters = 150): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
