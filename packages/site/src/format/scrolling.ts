/** So much of a text is read in its place: about a screen of a phone. */
const LONG = 1200;

/** The attributes of what holds a text: a long one scrolls in its place, by keyboard as well. */
export const scrolling = (text: string, label: string): Readonly<Record<string, string>> =>
  text.length > LONG ? { role: 'region', 'aria-label': label, tabindex: '0' } : {};
