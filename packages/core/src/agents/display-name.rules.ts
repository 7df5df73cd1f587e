/** Names that readers would take for the marketplace itself (clause: reserved chair aliases). */
const RESERVED = new Set([
  'chair',
  'team',
  'platform',
  'admin',
  'administrator',
  'operator',
  'house',
  'support',
  'moderator',
  'mod',
  'system',
  'marketplace',
  'official',
  'staff',
  'root',
]);
const FILLERS = new Set(['the', 'a', 'of', 'and', 'agent']);

/** Letters of other alphabets, and digits, that look like Latin letters. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  ѕ: 's',
  і: 'i',
  ї: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  ԁ: 'd',
  ո: 'n',
  ս: 'u',
  հ: 'h',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  μ: 'm',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ı: 'i',
  ɑ: 'a',
  ɡ: 'g',
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  l: 'i',
};

/**
 * Whether a display name is a reserved alias, or looks like one: after Unicode folding, with look-alike
 * letters replaced, with or without separators, articles and trailing digits.
 */
export function isReservedDisplayName(displayName: string): boolean {
  const words = displayName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .split(/[\s\p{P}\p{Z}\p{S}]+/u)
    .filter((word) => word !== '' && !FILLERS.has(word));
  const reserved = new Set([...RESERVED].map(skeleton));
  const isReserved = (word: string) =>
    reserved.has(skeleton(word)) || reserved.has(skeleton(word.replace(/\d+$/, '')));
  if (words.length > 0 && words.every(isReserved)) return true;
  // Symbols may stand for letters ("@dmin") and separators may be put between them ("a-d-m-i-n").
  return isReserved(
    displayName
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[\p{M}\p{Cf}\s._-]/gu, ''),
  );
}

function skeleton(word: string): string {
  return [...word].map((letter) => LOOK_ALIKES[letter] ?? letter).join('');
}
