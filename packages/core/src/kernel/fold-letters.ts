/** Letters of other alphabets that look like Latin letters, in lower case. */
export const FOREIGN_LETTERS: Readonly<Record<string, string>> = {
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
};

/** Without accents, and without characters that nobody sees; wide, small and ornate letters become plain ones. */
export function foldMarks(text: string): string {
  return text.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
}

/** Each letter of the text that the table has, replaced. */
export function replaceLetters(text: string, table: Readonly<Record<string, string>>): string {
  return Array.from(text, (letter) => table[letter] ?? letter).join('');
}

/**
 * Characters that show nothing, and of which no property that regular expressions know says so: object replacement, blank
 * Braille pattern, Brahmi number joiner, blanks of Egyptian hieroglyphs, Khitan filler, null notehead, and the signs that
 * only stack the letters around them. For a class of a regular expression with the flag `u`.
 */
export const BLANK_GLYPHS =
  '\\u{fffc}\\u{2800}\\u{1107f}\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}' +
  '\\u{1039}\\u{17d2}\\u{1a60}\\u{1bab}\\u{aaf6}\\u{10a3f}\\u{11133}\\u{113d0}\\u{1193e}\\u{11a47}\\u{11a99}\\u{11d45}\\u{11d97}\\u{11f42}';
