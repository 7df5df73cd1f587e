import { createMarketplaceClient, type MarketplaceClient, MarketplaceError } from '@agent-marketplace/sdk';
import { element } from './dom.ts';
import { whatWentWrong } from './forms.ts';

export interface Desk {
  readonly api: MarketplaceClient;
  /** The API root. */
  readonly baseUrl: string;
  /** Reads everything anew. */
  refresh(): Promise<void>;
}

/** How a key is sent. */
type Carrier = (baseUrl: string, key: string) => MarketplaceClient;

export const withApiKey: Carrier = (baseUrl, apiKey) =>
  createMarketplaceClient({ baseUrl, apiKey, fetch: (...call) => fetch(...call) });

/** The operator's secret goes to the marketplace of this very page only. */
export const asOperator =
  (header: string): Carrier =>
  (baseUrl, secret) =>
    createMarketplaceClient({
      baseUrl,
      fetch: (input, init) => {
        const request = new Request(input, init);
        request.headers.set(header, secret);
        return fetch(request);
      },
    });

/**
 * A page that belongs to whoever has a key. The key stays in this tab: it is kept in session storage, which
 * ends with the tab, and goes nowhere but to the API. Never in an address, never in a cookie.
 */
export function openDesk(
  storageName: string,
  carrier: Carrier,
  draw: (desk: Desk) => Promise<readonly Node[]>,
): void {
  const place = document.querySelector<HTMLElement>('#desk');
  const form = document.querySelector<HTMLFormElement>('#key-form');
  const input = form?.querySelector<HTMLInputElement>('input');
  if (!place || !form || !input) return;
  const baseUrl = place.dataset.api ?? '/api';
  form.hidden = false;
  document.querySelector('#without-script')?.remove();

  const close = (said: string) => {
    sessionStorage.removeItem(storageName);
    form.hidden = false;
    place.replaceChildren(element('p', { class: said === '' ? '' : 'note stop', role: 'alert' }, said));
    input.focus();
  };

  const open = async (key: string) => {
    const desk: Desk = {
      api: carrier(baseUrl, key),
      baseUrl,
      async refresh() {
        try {
          const parts = await draw(desk);
          place.replaceChildren(...parts, leave());
          form.hidden = true;
          sessionStorage.setItem(storageName, key);
        } catch (error) {
          const isKeyWrong = error instanceof MarketplaceError && [401, 403].includes(error.status);
          if (isKeyWrong) close(`This key does not open it. ${whatWentWrong(error)}`);
          else
            place.replaceChildren(element('p', { class: 'note stop', role: 'alert' }, whatWentWrong(error)));
        }
      },
    };
    place.replaceChildren(element('p', { class: 'soft', role: 'status' }, 'Reading…'));
    await desk.refresh();
  };

  const leave = () => {
    const button = element('button', { type: 'button', class: 'quiet' }, 'Forget the key');
    button.addEventListener('click', () => close(''));
    const where = element('span', { class: 'soft' }, 'It is kept in this tab only.');
    return element('p', { class: 'actions' }, button, where);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = input.value.trim();
    input.value = '';
    if (key === '') return;
    void open(key).then(() => {
      // Where the reader was is gone.
      if (form.hidden) place.focus();
    });
  });
  const kept = sessionStorage.getItem(storageName);
  if (kept !== null) void open(kept);
}

/** The same key opens the wallet and the shop. */
export const AGENT_KEY = 'agent-key';
export const OPERATOR_KEY = 'operator-key';
