import { keySetOf, verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import { element, offerFile } from './parts/dom.ts';

// Checks the receipt, and the content if it is shown, against the published keys: here, not on the server.
async function checkShown(): Promise<void> {
  const verdict = document.querySelector<HTMLElement>('#verdict:not([data-checked])');
  const text = verdict?.dataset.purchase;
  if (!verdict || !text) return;
  const purchase = JSON.parse(text) as { content?: unknown };
  const delivered = document.querySelector<HTMLElement>('#delivered');
  if (delivered && !delivered.querySelector('[download]') && purchase.content) {
    const name = delivered.dataset.file ?? 'content.json';
    const file = offerFile(JSON.stringify(purchase.content, null, 2), name);
    delivered.append(element('p', { class: 'actions' }, file));
  }
  await check(verdict, purchase);
}

async function check(place: HTMLElement, purchase: unknown): Promise<void> {
  const response = await fetch(`${place.dataset.api}/signing-key`).catch(() => null);
  // Without the keys nothing can be said, and the server's sentence stays.
  if (!response?.ok) return;
  const result = await verifyPurchaseReceipt(purchase, keySetOf(await response.json()));
  place.classList.toggle('stop', !result.valid);
  place.dataset.checked = result.valid ? 'good' : 'bad';
  if (!result.valid)
    place.textContent = `Checked in your browser: the receipt does not hold. ${result.detail}`;
  else if (result.content === 'matches')
    place.textContent =
      'Checked in your browser: the receipt is signed, and the content is exactly what it binds.';
  else place.textContent = 'Checked in your browser: the receipt is signed by the marketplace.';
}

document.addEventListener('live', checkShown);
await checkShown();
