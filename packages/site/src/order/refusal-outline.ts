import { type Outline, outline } from '../format/outline.ts';
import type { RefusalWords } from './refusal-words.ts';

/** A refusal as a notice. In a file of its own: consoles show it, and need no words for refused purchases. */
export function refusalOutline({
  what,
  money,
  next,
  link,
}: Omit<RefusalWords, 'money'> & { readonly money: string | null }): Outline {
  return outline(
    'div',
    { class: 'note stop failed stack close', role: 'alert' },
    outline('p', {}, outline('strong', {}, what)),
    money !== null && outline('p', {}, money),
    outline('p', {}, next),
    link && outline('p', {}, outline('a', { href: link.href }, link.label)),
  );
}
