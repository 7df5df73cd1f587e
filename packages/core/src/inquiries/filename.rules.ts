export const MAX_FILENAME_CHARACTERS = 200;

const NAMELESS = 'attachment';
/** Controls, formatting (which turns writing around, or is not seen), separators, and what has no meaning. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Characters that file systems, shells or headers give a meaning. */
const SPECIAL = /["*:<>?|]/g;
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name that is one file's name wherever it is saved, and is what it looks like. */
export function safeFilename(given: string): string {
  const lastPart = given.normalize('NFC').replaceAll(UNSEEN, '').split(/[/\\]/).at(-1) ?? '';
  const name = trimmed(lastPart.replaceAll(SPECIAL, '_'));
  const short = trimmed(shortened(name));
  if (short === '') return NAMELESS;
  return DEVICES.test(short) ? `_${short}` : short;
}

/** Neither hidden nor ending in what some systems leave out. */
function trimmed(name: string): string {
  return name.replaceAll(/^[\s.]+|[\s.]+$/gu, '');
}

/** The ending says what a file is: it stays. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_FILENAME_CHARACTERS) return name;
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, MAX_FILENAME_CHARACTERS - ending.length).join('') + ending;
}
