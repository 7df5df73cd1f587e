/**
 * Characters that are invisible or change how their surroundings read: controls, direction marks,
 * zero-width spaces. Joiners stay, since scripts and emoji need them.
 */
const UNSEEN =
  /[\p{Cc}\u{200B}\u{2060}-\u{2064}\u{FEFF}\u{AD}\u{61C}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{E0000}-\u{E007F}]/gu;

/** More marks on one letter than any script writes: they would be drawn over the lines above and below. */
const PILED = /(\p{M}{6})\p{M}+/gu;

/** Text by another author, with a visible mark in place of each invisible character, and of marks that are piled up. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(PILED, '$1\u{FFFD}')
    .replaceAll(UNSEEN, (character) => (/[\t\n]/.test(character) ? character : '\u{FFFD}'));
}

/** For titles and other places with one line. */
export function oneLine(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const line = visibleText(text).replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

const LONG_TITLE = 80;

/** The classes of a page's heading that is the title of a listing. */
export const titleClass = (title: string): string => `for-sale${title.length > LONG_TITLE ? ' long' : ''}`;

/** The address if it is safe to link to: https, without a user name that could mislead. */
export function safeLink(text: string): string | null {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}

/**
 * The address if the marketplace itself gave it, such as a checkout page. On a developer's machine these
 * are not https.
 */
export function platformLink(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  if (url === null) return null;
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
  return isLocal ? url.href : safeLink(url.href);
}
