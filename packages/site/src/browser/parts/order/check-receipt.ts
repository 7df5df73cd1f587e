import { keySetOf, verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import { element, offerFile } from '../dom.ts';
import { showVerdict } from '../show-verdict.ts';

/** Checks the receipt that is shown, and the content if there is any, against the published keys in the browser. */
export async function checkReceipt(): Promise<void> {
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
  // Without the keys, the server's sentence stays.
  if (!response?.ok) return;
  const result = await verifyPurchaseReceipt(purchase, keySetOf(await response.json()));
  showVerdict(place, verdictText(result), result.valid);
}

function verdictText(result: Awaited<ReturnType<typeof verifyPurchaseReceipt>>): string {
  if (!result.valid) return `Checked in your browser: the receipt is not valid. ${result.detail}`;
  return result.content === 'matches'
    ? 'Checked in your browser: the receipt is valid, and the content matches it.'
    : 'Checked in your browser: the receipt is signed by the marketplace.';
}
