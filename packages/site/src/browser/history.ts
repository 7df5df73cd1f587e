import { keySetOf, verifyListingHistory } from '@agent-marketplace/sdk';

// Checks a listing's history here, so that the marketplace's word for it is not needed.
const place = document.querySelector<HTMLElement>('#chain');
if (place) await check(place);

async function check(place: HTMLElement): Promise<void> {
  const { listing = '', version = '', api = '' } = place.dataset;
  const [history, keys] = await Promise.all([
    read(`${api}/marketplace/listings/${encodeURIComponent(listing)}/history`),
    read(`${api}/signing-key`),
  ]);
  // The server's finding stays where this browser cannot make one of its own.
  if (history === null || keys === null) return;
  const { entries } = history as { entries?: unknown[] };
  const result = await verifyListingHistory(listing, entries ?? [], keySetOf(keys));
  if (!result.valid) {
    const where = result.version === null ? '' : ` at version ${result.version}`;
    say(place, `Checked in your browser: this history does not hold${where}. ${result.detail}`, false);
  } else if (result.version < Number(version)) {
    say(place, `Checked in your browser: newer entries than version ${result.version} are missing.`, false);
  } else {
    const entriesText = result.version === 1 ? '1 entry' : `${result.version} entries`;
    say(place, `Checked in your browser: ${entriesText}, each signed, in one unbroken chain.`, true);
  }
}

function say(place: HTMLElement, text: string, isGood: boolean): void {
  place.textContent = text;
  place.classList.toggle('stop', !isGood);
  place.dataset.checked = isGood ? 'good' : 'bad';
}

async function read(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
