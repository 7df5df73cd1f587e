import { keySetOf, verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import { element, offerFile } from './parts/dom.ts';

// Checks the receipt, and the content if it is shown, against the published keys: here, not on the server.
const verdict = document.querySelector<HTMLElement>('#verdict');
const delivered = document.querySelector<HTMLElement>('#delivered');
const text = verdict?.dataset.purchase;

if (verdict && text) {
  const purchase = JSON.parse(text) as { content?: unknown };
  if (delivered && purchase.content !== undefined && purchase.content !== null) {
    const file = offerFile(
      JSON.stringify(purchase.content, null, 2),
      delivered.dataset.file ?? 'content.json',
    );
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
