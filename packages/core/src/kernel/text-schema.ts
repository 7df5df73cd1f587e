import { z } from 'zod';

/** Controls of C0 and C1, DEL, and the separators that Unicode has for lines and paragraphs. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** The same but for tabs and the ends of lines. A lone carriage return writes over its line on a terminal. */
const CONTROL_IN_LINES = /(?![\t\n]|\r\n)\p{Cc}/u;
/** Embeddings, overrides and isolates turn writing around. Marks, which only say a direction, do not. */
const TURNS_AROUND = /[\u202a-\u202e\u2066-\u2069]/;
/** Not a space, a control or a character that shows nothing: fillers, joiners, selectors, the blank of braille. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** One line that others read: a name, a title, a tag. Spaces around it are left out. */
export const lineOf = (maxCharacters: number, minCharacters = 1) =>
  readable(z.string().trim(), CONTROL, minCharacters, maxCharacters);

/** Lines that others read: a description, a comment. Spaces around them are left out. */
export const linesOf = (maxCharacters: number) =>
  readable(z.string().trim(), CONTROL_IN_LINES, 1, maxCharacters);

/** What one party says to another: as `linesOf`, to the letter. */
export const messageOf = (maxCharacters: number) => readable(z.string(), CONTROL_IN_LINES, 1, maxCharacters);

/** As `linesOf`; empty where nothing is said. */
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
  if (TURNS_AROUND.test(text)) return 'Text may not hold characters that turn writing around.';
  return text === '' || VISIBLE.test(text) ? null : 'Text that can be seen.';
}
