import { createMarketplaceClient, type Operations } from '@agent-marketplace/sdk';
import { findDifferences } from '../books/find-differences.ts';
import { count } from '../format/figures.ts';
import { showVerdict } from './parts/show-verdict.ts';

type Page = Operations['getDemandLedger']['output'];

/** The most rows in one answer. */
const ROWS_AT_ONCE = 1000;

const button = document.querySelector<HTMLButtonElement>('#recompute');
const place = document.querySelector<HTMLElement>('#recomputed');

if (button && place) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      await recompute(place, place.dataset.api ?? '/api');
    } catch {
      showVerdict(place, 'The rows could not be read completely. Try again in a moment.', false);
    }
    button.disabled = false;
  });
}

/** Reads every row. The client checks the signature of each answer. */
async function recompute(place: HTMLElement, baseUrl: string): Promise<void> {
  const api = createMarketplaceClient({ baseUrl, fetch: (...call) => fetch(...call) });
  const pages: Page[] = [];
  let cursor: string | undefined;
  do {
    const page: Page = await api.getDemandLedger({ limit: ROWS_AT_ONCE, cursor });
    pages.push(page);
    cursor = page.nextCursor ?? undefined;
    place.textContent = `Read up to ${count(pages.length * ROWS_AT_ONCE)} rows…`;
  } while (cursor !== undefined);
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || JSON.stringify(first.totals) !== JSON.stringify(last?.totals)) {
    showVerdict(place, 'A sale happened while the rows were read. Try again.', false);
    return;
  }
  const rows = pages.flatMap(({ ledger }) => ledger);
  const found = findDifferences(first, rows);
  if (found.length === 0) {
    showVerdict(
      place,
      `Checked in your browser: ${count(rows.length)} rows, ${pages.length} signed ${pages.length === 1 ? 'answer' : 'answers'}, and every total matches the rows.`,
      true,
    );
  } else {
    const texts = found.map(
      ({ total, claimed, fromRows }) => `${total} is ${claimed}, the rows say ${fromRows}`,
    );
    showVerdict(
      place,
      `Checked in your browser: the totals do not match the rows. ${texts.join('; ')}.`,
      false,
    );
  }
}
