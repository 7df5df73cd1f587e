import { BLANK_GLYPHS } from '../../kernel/fold-letters.ts';

/** Spaces, line breaks, controls, and what nobody sees. */
const UNSEEN = new RegExp(`[\\s\\p{Z}\\p{C}\\p{Default_Ignorable_Code_Point}${BLANK_GLYPHS}]`, 'gu');

/**
 * Title and description in one, without what makes no other text of them: width and ornament of letters (NFKC), case, spaces
 * and characters that nobody sees.
 */
export function comparableText({
  title,
  description,
}: {
  readonly title: string;
  readonly description: string;
}): string {
  // Both ways: some letters have more than one in the other case.
  const folded = `${title}${description}`.normalize('NFKC').toUpperCase().toLowerCase();
  return folded.normalize('NFKC').replaceAll(UNSEEN, '');
}
