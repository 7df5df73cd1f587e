import { keySetOf, verifyListingHistory } from '@agent-marketplace/sdk';
import { showVerdict } from './parts/show-verdict.ts';

// Checks a listing's history in the browser, so that the reader need not trust the server's statement.
const place = document.querySelector<HTMLElement>('#chain');
if (place) await check(place);

async function check(place: HTMLElement): Promise<void> {
  const { listing = '', version = '', api = '' } = place.dataset;
  const [entries, keys] = await Promise.all([
    readEntries(`${api}/marketplace/listings/${encodeURIComponent(listing)}/history`),
    read(`${api}/signing-key`),
  ]);
  // Without an answer, the server's statement stays.
  if (entries === null || keys === null) return;
  const result = await verifyListingHistory(listing, entries, keySetOf(keys));
  if (!result.valid) {
    const where = result.version === null ? '' : ` at version ${result.version}`;
    showVerdict(place, `Checked in your browser: this history is not valid${where}. ${result.detail}`, false);
  } else if (result.version < Number(version)) {
    showVerdict(
      place,
      `Checked in your browser: newer entries than version ${result.version} are missing.`,
      false,
    );
  } else {
    const entriesText = result.version === 1 ? '1 entry' : `${result.version} entries`;
    showVerdict(
      place,
      `Checked in your browser: ${entriesText}, each signed, in one unbroken chain.${erasedText(result.erased)}`,
      true,
    );
  }
}

function erasedText(versions: readonly number[]): string {
  return versions.length === 0
    ? ''
    : ` The texts of ${versions.length} were erased with the seller's account.`;
}

/** Page by page; null where one of them could not be read. */
async function readEntries(url: string): Promise<unknown[] | null> {
  const entries: unknown[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = await read(after === 0 ? url : `${url}?after=${after}`);
    if (page === null) return null;
    const { entries: found = [], nextAfter = null } = page as {
      entries?: unknown[];
      nextAfter?: number | null;
    };
    entries.push(...found);
    after = nextAfter;
  }
  return entries;
}

async function read(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
