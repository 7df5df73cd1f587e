export const MAX_FILENAME_CHARACTERS = 200;

const NAMELESS = 'attachment';
/** Controls, invisible formatting and direction marks, line separators, and unassigned characters. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Characters with a meaning to file systems, shells or headers. */
const SPECIAL = /["*:<>?|]/g;
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name without path, hidden characters or names of devices: it can be saved on every system as it is shown. */
export function safeFilename(filename: string): string {
  const lastPart = filename.normalize('NFC').replaceAll(UNSEEN, '').split(/[/\\]/).at(-1) ?? '';
  const name = trimName(lastPart.replaceAll(SPECIAL, '_'));
  const short = trimName(shortenName(name));
  if (short === '') return NAMELESS;
  return DEVICES.test(short) ? `_${short}` : short;
}

/** A leading dot hides a file, and some systems drop dots and spaces at the end. */
function trimName(name: string): string {
  return name.replaceAll(/^[\s.]+|[\s.]+$/gu, '');
}

/** Keeps the file's extension. */
function shortenName(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_FILENAME_CHARACTERS) return name;
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, MAX_FILENAME_CHARACTERS - ending.length).join('') + ending;
}
