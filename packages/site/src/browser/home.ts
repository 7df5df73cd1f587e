import { keySetOf, verifyResponse } from '@agent-marketplace/sdk';
import { offerRegistration } from './parts/console/offer-registration.ts';
import { showVerdict } from './parts/show-verdict.ts';

// The start page: checks the record of a sale when it is opened, and registers who wants to buy.

const record = document.querySelector<HTMLDetailsElement>('#record');
// Readers may open it before this script is there, and again where it could not be read.
record?.addEventListener('toggle', checkOnceOpen);
checkOnceOpen();

function checkOnceOpen(): void {
  if (record?.open) void checkRecord(record);
}

offerRegistration('start page');

/** Reads the record again, as the marketplace signs it now, and checks the signature with its public keys. */
async function checkRecord({ dataset }: HTMLDetailsElement): Promise<void> {
  const place = document.querySelector<HTMLElement>('#record-verdict');
  if (!place) return;
  const api = dataset.api ?? '/api';
  place.textContent = 'Checking the signature in your browser…';
  const [answer, keys] = await Promise.all([
    read(`${api}/proof/demand?limit=100`),
    read(`${api}/signing-key`),
  ]);
  if (answer === null || keys === null) {
    showVerdict(place, 'The record could not be read again. Try again in a minute.', false);
    return;
  }
  const checked = await verifyResponse(answer, keySetOf(keys));
  if (!checked.valid) {
    showVerdict(place, `Checked in your browser: the signature is not valid. ${checked.detail}`, false);
    return;
  }
  const { ledger } = checked.body as { ledger?: readonly { id?: unknown }[] };
  const isThere = ledger?.some(({ id }) => id === dataset.sale) ?? false;
  showVerdict(
    place,
    isThere
      ? 'Checked in your browser: the marketplace signed the record of this sale, and nobody changed it since.'
      : 'The answer is signed, and this sale is no longer in it: it was refunded, or a hundred came after it. Reload the page.',
    isThere,
  );
}

async function read(url: string): Promise<object | null> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    return response.ok ? ((await response.json()) as object) : null;
  } catch {
    return null;
  }
}
