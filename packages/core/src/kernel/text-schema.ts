import * as z from 'zod';
import { BLANK_GLYPHS } from './fold-letters.ts';

/** C0 and C1 controls, DEL, and Unicode's line and paragraph separators. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** The same, except for tabs and line ends. A lone carriage return would overwrite its line in a terminal. */
const CONTROL_IN_LINES = /(?![\t\n]|\r\n)\p{Cc}/u;
/** Embeddings, overrides and isolates reverse the order of text. Direction marks alone do not. */
const REVERSES_TEXT = /[\u202a-\u202e\u2066-\u2069]/;
/** A visible character: no space, control, filler, joiner, selector or blank. */
const VISIBLE = new RegExp(
  `[^\\p{Z}\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{M}\\p{Default_Ignorable_Code_Point}${BLANK_GLYPHS}]`,
  'u',
);

/** One line that others read: a name, a title, a tag. Surrounding spaces are removed. */
export const lineOf = (maxCharacters: number, minCharacters = 1) =>
  readable(z.string().trim(), CONTROL, minCharacters, maxCharacters);

/** Several lines that others read: a description, a comment. Surrounding spaces are removed. */
export const linesOf = (maxCharacters: number) =>
  readable(z.string().trim(), CONTROL_IN_LINES, 1, maxCharacters);

/** A message of one party to another: like `linesOf`, but unchanged. */
export const messageOf = (maxCharacters: number) => readable(z.string(), CONTROL_IN_LINES, 1, maxCharacters);

/** Like `linesOf`, and may be empty. */
export const linesIfAny = (maxCharacters: number) =>
  readable(z.string().trim(), CONTROL_IN_LINES, 0, maxCharacters);

function readable(text: z.ZodString, control: RegExp, minCharacters: number, maxCharacters: number) {
  return (minCharacters > 0 ? text.min(minCharacters, { abort: true }) : text)
    .max(maxCharacters, { abort: true })
    .refine((value) => faultOf(value, control) === null, {
      abort: true,
      error: ({ input }) => faultOf(input as string, control) ?? '',
    });
}

function faultOf(text: string, control: RegExp): string | null {
  if (control.test(text)) {
    return control === CONTROL
      ? 'One line, without control characters.'
      : 'Text may hold no control characters but tabs and ends of lines.';
  }
  if (REVERSES_TEXT.test(text)) return 'Text may not hold characters that turn writing around.';
  return text === '' || VISIBLE.test(text) ? null : 'Text that can be seen.';
}
