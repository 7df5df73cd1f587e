import { type Outline, outline } from './outline.ts';
import { scrolling } from './scrolling.ts';
import { visibleText } from './text.ts';

/** Text with a copy button, which the script `copy` shows. */
export function codeOutline(label: string, text: string): Outline {
  return outline(
    'figure',
    { class: 'code' },
    outline(
      'figcaption',
      {},
      outline('span', {}, label),
      outline('button', { type: 'button', 'data-copy': '', hidden: '' }, 'Copy'),
    ),
    outline('pre', scrolling(text, label), outline('code', {}, text)),
  );
}

/** A value by another author, as JSON that wraps. */
export function jsonOutline(label: string, value: unknown): Outline {
  return codeOutline(label, visibleText(JSON.stringify(value, null, 2) ?? 'null'));
}
