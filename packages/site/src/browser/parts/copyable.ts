import { element } from './dom.ts';

/** Shows a long value shortened, with a button that copies all of it. Screen readers hear `what`. */
export function copyable(what: string, whole: string, shown: string): HTMLElement {
  if (!navigator.clipboard) return element('code', {}, whole);
  const text = element('code', { title: whole }, shown);
  const label = element('span', {}, 'Copy');
  const hiddenLabel = element('span', { class: 'visually-hidden' }, ` ${what}`);
  const button = element('button', { type: 'button', class: 'bare' }, label, hiddenLabel);
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(whole).then(
      () => true,
      () => false,
    );
    // Without access to the clipboard, the reader selects the whole value.
    if (!isCopied) text.textContent = whole;
    label.textContent = isCopied ? 'Copied' : 'Select it';
  });
  return element('span', { class: 'copyable' }, text, button);
}
