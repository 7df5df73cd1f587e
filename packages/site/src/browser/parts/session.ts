import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { explainRefusal, refusalNote } from './console/explain-refusal.ts';
import { element } from './dom.ts';

export interface Session {
  readonly api: MarketplaceClient;
  /** The API root. */
  readonly baseUrl: string;
  /** Reads and draws everything again. */
  refresh(): Promise<void>;
}

export const OPERATOR_KEY = 'operator-key';

/** Makes a client that sends the key. */
type ClientFactory = (baseUrl: string, key: string) => MarketplaceClient;

/** Without retries: a person is told to wait, and for how long, instead of waiting without a word. */
export const withApiKey: ClientFactory = (baseUrl, apiKey) =>
  createMarketplaceClient({ baseUrl, apiKey, retries: 0, fetch: (...call) => fetch(...call) });

/** The operator's secret goes only to the marketplace that served this page. */
export const asOperator =
  (header: string): ClientFactory =>
  (baseUrl, secret) =>
    createMarketplaceClient({
      baseUrl,
      retries: 0,
      fetch: (input, init) => {
        const request = new Request(input, init);
        request.headers.set(header, secret);
        return fetch(request);
      },
    });

/**
 * Opens a page that needs a key. The key stays in the session storage of this tab, and goes to the API
 * only: never into an address or a cookie.
 */
export function openSession(
  storageName: string,
  createClient: ClientFactory,
  draw: (session: Session) => Promise<readonly Node[]>,
  ownerOf: (key: string) => readonly (Node | string)[] = beginningOf,
): void {
  const place = document.querySelector<HTMLElement>('#keyed-content');
  const form = document.querySelector<HTMLFormElement>('#key-form');
  const frame = frameOfConsole();
  const input = form?.querySelector<HTMLInputElement>('input');
  if (!place || !form || !input) return;
  const baseUrl = place.dataset.api ?? '/api';
  // An operator pays for nothing here.
  const money = storageName === OPERATOR_KEY ? null : 'Nothing was charged.';
  const storedKey = sessionStorage.getItem(storageName);
  // Where a key is kept, the form would only flash.
  form.hidden = storedKey !== null;
  document.querySelector('#without-script')?.remove();

  let draws = 0;
  const showKeyForm = (message: Node | null) => {
    // An answer on its way must not open the page that was just closed.
    draws += 1;
    sessionStorage.removeItem(storageName);
    form.hidden = false;
    frame?.close();
    place.replaceChildren(...(message === null ? [] : [message]));
    input.focus();
  };

  const open = async (key: string) => {
    const session: Session = {
      api: createClient(baseUrl, key),
      baseUrl,
      async refresh() {
        draws += 1;
        const thisDraw = draws;
        try {
          const parts = await draw(session);
          // The answer to an earlier choice may come after the answer to the last one.
          if (thisDraw !== draws) return;
          place.replaceChildren(...parts, ...(frame ? [] : [forgetKeyButton()]));
          frame?.open(ownerOf(key));
          form.hidden = true;
          input.value = '';
          sessionStorage.setItem(storageName, key);
        } catch (error) {
          if (thisDraw !== draws) return;
          const refusal = explainRefusal(error);
          if (refusal.kind === 'key') return showKeyForm(refusalNote(refusal, money, null));
          place.replaceChildren(
            refusalNote(refusal, money, refusal.kind === 'wait' ? () => void session.refresh() : null),
          );
          // Another key may open what this one does not.
          if (refusal.kind !== 'wait') form.hidden = false;
          if (refusal.kind !== 'scope') return;
          // Good for other pages.
          frame?.open(ownerOf(key));
          sessionStorage.setItem(storageName, key);
        }
      },
    };
    place.replaceChildren(element('p', { class: 'soft', role: 'status' }, 'Loading…'));
    await session.refresh();
  };

  frame?.button.addEventListener('click', () => showKeyForm(null));
  const forgetKeyButton = () => {
    const button = element('button', { type: 'button', class: 'quiet' }, 'Forget the key');
    button.addEventListener('click', () => showKeyForm(null));
    const where = element('span', { class: 'soft' }, 'It is stored in this tab only.');
    return element('p', { class: 'actions' }, button, where);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = input.value.trim();
    if (key === '') return;
    void open(key).then(() => {
      // The focused element is gone, so the focus moves to the new content.
      // The title of the page stays in view.
      if (form.hidden) place.focus({ preventScroll: true });
    });
  });
  if (storedKey !== null) void open(storedKey);
}

/** Shows the beginning of the key only: a screen is seen by others. */
const beginningOf = (key: string) => [
  'Key ',
  element('code', {}, `${key.slice(0, 13)}…`),
  element('span', { class: 'wide-only' }, ', in this tab only'),
];

/** The bar of a console, which says whose key is open and forgets it; null where the page has none. */
function frameOfConsole() {
  const owner = document.querySelector<HTMLElement>('#console-owner');
  const button = document.querySelector<HTMLButtonElement>('#forget-key');
  if (!owner || !button) return null;
  // On a phone the bar of pages is longer than the screen.
  document
    .querySelector('.console-nav [aria-current]')
    ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  const closed = owner.textContent ?? '';
  return {
    button,
    open(whose: readonly (Node | string)[]) {
      owner.replaceChildren(...whose);
      button.hidden = false;
    },
    close() {
      owner.replaceChildren(closed);
      button.hidden = true;
    },
  };
}
