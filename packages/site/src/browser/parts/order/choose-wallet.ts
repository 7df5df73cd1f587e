import { visibleText } from '../../../format/text.ts';
import { element } from '../dom.ts';
import { type BrowserWallet, findWallets } from './browser-wallet.ts';

const NAME = 'browser-wallet';

/** Where the browser has several wallets: which one is asked, before anything is. */
export async function showWallets(form: HTMLFormElement): Promise<void> {
  const place = form.querySelector<HTMLElement>('#wallets');
  const wallets = await findWallets();
  if (!place || place.childElementCount > 0 || wallets.length < 2) return;
  const legend = element('legend', {}, 'Your wallet');
  place.replaceChildren(element('fieldset', { class: 'stack close' }, legend, ...wallets.map(choiceOf)));
}

function choiceOf({ id, name }: BrowserWallet, index: number): HTMLElement {
  const isFirst: Record<string, string> = index === 0 ? { checked: '' } : {};
  const input = element('input', { type: 'radio', name: NAME, value: id, ...isFirst });
  return element('label', { class: 'pay-way' }, input, element('span', {}, visibleText(name)));
}

/** The wallet that is chosen; null where there is no choice. */
export function chosenWallet(form: HTMLFormElement): string | null {
  const chosen = new FormData(form).get(NAME);
  return typeof chosen === 'string' ? chosen : null;
}
