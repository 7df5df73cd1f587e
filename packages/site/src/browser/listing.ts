import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { codeSamples } from '../order/code-samples.ts';
import { queryFormOf } from '../query-form/query-form.ts';
import { readQuery } from '../query-form/read-query.ts';
import { AGENT_KEY, keptAgentKey } from './parts/agent-key.ts';
import { faultAt, showFault, showFieldFaults } from './parts/field-faults.ts';
import { checkReceipt } from './parts/order/check-receipt.ts';
import type { Way } from './parts/order/kept-orders.ts';
import { forgetEndedOrders, keptOrder } from './parts/order/kept-orders.ts';

// Makes the form of a listing buy in the page. What talks to the marketplace is loaded once it is needed.

const form = document.querySelector<HTMLFormElement>('#try');
if (form) enhance(form);
await checkReceipt();

function enhance(form: HTMLFormElement): void {
  const { api = '/api', listing: listingId = '', price = '0', ask = '{}', now: servedAt = '' } = form.dataset;
  const begunAt = performance.now();
  const now = () => Date.parse(servedAt) + performance.now() - begunAt;
  const offer = { listingId, priceCents: Number(price) };
  const queryForm = queryFormOf(
    JSON.parse(ask) as { inputSchema: Json; exampleQuery: Json; queryRequired: boolean },
  );
  const loadOrders = () => import('./parts/order/place-order.ts');
  const read = () => readQuery(queryForm, (name) => valueIn(form, name));
  const place = { form, apiBaseUrl: api, ...offer, now };

  for (const part of form.querySelectorAll<HTMLElement>('[data-script]')) part.hidden = false;
  const showWay = () => {
    const way = wayOf(form);
    const isKeyKept = keptAgentKey() !== null;
    for (const part of form.querySelectorAll<HTMLElement>('[data-way]'))
      part.hidden = part.dataset.way !== way;
    if (way === 'usdc')
      void import('./parts/order/choose-wallet.ts').then(({ showWallets }) => showWallets(form));
    if (way === 'wallet') {
      hide('#key-kept', !isKeyKept);
      hide('.field:has(#pay-key)', isKeyKept);
    }
  };
  const hide = (selector: string, isHidden: boolean) => {
    const part = form.querySelector<HTMLElement>(selector);
    if (part) part.hidden = isHidden;
  };
  form.querySelector('#forget-key')?.addEventListener('click', () => {
    sessionStorage.removeItem(AGENT_KEY);
    showWay();
    form.querySelector<HTMLElement>('#pay-key')?.focus();
  });
  form.addEventListener('change', showWay);
  form.addEventListener('order-shown', showWay);
  showWay();

  form.addEventListener('input', () => {
    const { query, faults } = read();
    if (faults.size === 0) showSamples(api, { ...offer, query });
  });
  form.addEventListener('change', (event) => {
    const name = event.target instanceof HTMLElement ? event.target.getAttribute('name') : null;
    const fault = name === null ? null : faultAt(form, name);
    if (name !== null && fault !== null) showFault(fault, read().faults.get(name) ?? '');
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { query, faults, formFault } = read();
    const isGood = showFaults(form, faults, formFault);
    if (isGood) void loadOrders().then(({ placeOrder }) => placeOrder(place, wayOf(form), query));
  });
  forgetEndedOrders(now());
  if (keptOrder(listingId) !== null) void loadOrders().then(({ offerKeptOrder }) => offerKeptOrder(place));
}

function wayOf(form: HTMLFormElement): Way {
  return (new FormData(form).get('pay') ?? 'free') as Way;
}

function valueIn(form: HTMLFormElement, name: string): string {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLElement && 'value' in control ? String(control.value) : '';
}

/** Shows what is wrong beside each field, and leads to the first; whether nothing is. */
function showFaults(
  form: HTMLFormElement,
  faults: ReadonlyMap<string, string>,
  formFault: string | null,
): boolean {
  showFieldFaults(form, faults);
  const whole = form.querySelector<HTMLElement>('#query-fault');
  if (whole) {
    whole.textContent = formFault;
    whole.hidden = formFault === null;
  }
  form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  return faults.size === 0 && formFault === null;
}

function showSamples(
  api: string,
  order: { listingId: string; priceCents: number; query: JsonObject | null },
): void {
  for (const { id, text } of codeSamples(api, order)) {
    const code = document.querySelector(`#sample-${id} code`);
    if (code) code.textContent = text;
  }
}
