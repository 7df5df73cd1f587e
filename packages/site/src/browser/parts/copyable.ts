import { element } from './dom.ts';

/** Something too long to read, and a button that takes the whole of it. */
export function copyable(whole: string, shown: string): HTMLElement {
  const text = element('code', { title: whole }, shown);
  if (!navigator.clipboard) return element('code', {}, whole);
  const button = element('button', { type: 'button', class: 'bare', 'aria-label': `Copy ${whole}` }, 'Copy');
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(whole).then(
      () => true,
      () => false,
    );
    // What cannot be copied is shown whole, to be selected.
    if (!isCopied) text.textContent = whole;
    button.textContent = isCopied ? 'Copied' : 'Select it';
  });
  return element('span', { class: 'copyable' }, text, button);
}
