/**
 * Characters that show nothing, or make what stands around them read otherwise: controls, marks of direction,
 * zero-width spaces. Joiners stay, since scripts and emoji need them.
 */
const UNSEEN =
  /[\p{Cc}\u{200B}\u{2060}-\u{2064}\u{FEFF}\u{AD}\u{61C}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{E0000}-\u{E007F}]/gu;

/** Text that somebody else wrote, with a visible mark in place of each character that would not be seen. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(UNSEEN, (character) => (/[\t\n]/.test(character) ? character : '\u{FFFD}'));
}

/** For titles of pages and places of one line. */
export function oneLine(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const line = visibleText(text).replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** An address that somebody else wrote, if it may be linked to: https, and nothing in it that misleads. */
export function safeLink(text: string): string | null {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}

/**
 * An address that the marketplace itself gave out, such as a page to pay on. On one's own machine those are
 * not https.
 */
export function platformLink(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  if (url === null) return null;
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
  return isLocal ? url.href : safeLink(url.href);
}
