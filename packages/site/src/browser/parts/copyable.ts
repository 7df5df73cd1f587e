import { element } from './dom.ts';

/** Something too long to read, and a button that takes the whole of it. `what` is said to those who only hear. */
export function copyable(what: string, whole: string, shown: string): HTMLElement {
  if (!navigator.clipboard) return element('code', {}, whole);
  const text = element('code', { title: whole }, shown);
  const label = element('span', {}, 'Copy');
  const heard = element('span', { class: 'visually-hidden' }, ` ${what}`);
  const button = element('button', { type: 'button', class: 'bare' }, label, heard);
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(whole).then(
      () => true,
      () => false,
    );
    // What cannot be copied is shown whole, to be selected.
    if (!isCopied) text.textContent = whole;
    label.textContent = isCopied ? 'Copied' : 'Select it';
  });
  return element('span', { class: 'copyable' }, text, button);
}
