import { createMarketplaceClient, type Operations } from '@agent-marketplace/sdk';
import { differences } from '../books/recompute.ts';
import { count } from '../format/figures.ts';

type Page = Operations['getDemandLedger']['output'];

/** The most rows that one answer has. */
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
      say(place, 'The books could not be read to their end. Try again in a moment.', false);
    }
    button.disabled = false;
  });
}

/** Reads every row. The client checks the signature of each answer before it believes it. */
async function recompute(said: HTMLElement, baseUrl: string): Promise<void> {
  const api = createMarketplaceClient({ baseUrl, fetch: (...call) => fetch(...call) });
  const pages: Page[] = [];
  let cursor: string | undefined;
  do {
    const page: Page = await api.getDemandLedger({ limit: ROWS_AT_ONCE, cursor });
    pages.push(page);
    cursor = page.nextCursor ?? undefined;
    said.textContent = `Read ${count(pages.length * ROWS_AT_ONCE)} rows at most…`;
  } while (cursor !== undefined);
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || JSON.stringify(first.totals) !== JSON.stringify(last?.totals)) {
    say(said, 'Something was sold while the rows were read. Try again.', false);
    return;
  }
  const rows = pages.flatMap(({ ledger }) => ledger);
  const found = differences(first, rows);
  if (found.length === 0) {
    say(
      said,
      `Checked in your browser: ${count(rows.length)} rows, ${pages.length} signed ${pages.length === 1 ? 'answer' : 'answers'}, and every total follows from the rows.`,
      true,
    );
  } else {
    const texts = found.map(
      ({ total, said: value, fromRows }) => `${total} is ${value}, the rows say ${fromRows}`,
    );
    say(said, `Checked in your browser: the totals do not follow. ${texts.join('; ')}.`, false);
  }
}

function say(said: HTMLElement, text: string, isGood: boolean): void {
  said.textContent = text;
  said.classList.toggle('stop', !isGood);
  said.dataset.checked = isGood ? 'good' : 'bad';
}
