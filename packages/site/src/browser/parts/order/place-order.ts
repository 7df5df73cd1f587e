import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { createMarketplaceClient, type MarketplaceClient, type Operations } from '@agent-marketplace/sdk';
import { money } from '../../../format/figures.ts';
import { platformLink } from '../../../format/text.ts';
import { purchaseOutline } from '../../../order/purchase-outline.ts';
import { NO_FACTS, refusalFacts } from '../../../order/refusal-facts.ts';
import { refusalOutline } from '../../../order/refusal-outline.ts';
import { type RefusalFacts, refusalWords, UNRESOLVED_CODES } from '../../../order/refusal-words.ts';
import { saleSteps } from '../../../order/sale-steps.ts';
import { AGENT_KEY, keptAgentKey } from '../agent-key.ts';
import { element } from '../dom.ts';
import { actionForm } from '../forms.ts';
import { checkReceipt } from './check-receipt.ts';
import { chosenWallet } from './choose-wallet.ts';
import { draw } from './draw.ts';
import { forgetting, paymentFile } from './kept-order-parts.ts';
import {
  type Bought,
  forgetOrder,
  isPastValidity,
  type KeptOrder,
  keepOrder,
  keptOrder,
  type Way,
} from './kept-orders.ts';

type Purchase = Operations['purchaseListing']['output'];

/** The form of a listing, and what it buys. */
export interface OrderPlace {
  readonly form: HTMLFormElement;
  readonly apiBaseUrl: string;
  readonly listingId: string;
  readonly priceCents: number;
  /** The time by the server's clock: the reader's may be wrong by days. */
  readonly now: () => number;
}

/** One at a time, in all tabs: a second click waits for nothing and sends nothing. */
let isBusy = false;

/** Buys with what the form holds; an order that is still open is sent again in its place. */
export async function placeOrder(place: OrderPlace, way: Way, query: JsonObject | null): Promise<void> {
  const { form, listingId, priceCents } = place;
  const open = keptOrder(listingId);
  if (open !== null && JSON.stringify([open.way, open.query]) !== JSON.stringify([way, query]))
    return offerKeptOrder(place, 'Look at your earlier order first: its outcome is not known yet.');
  const email =
    way === 'card' ? (form.querySelector<HTMLInputElement>('#pay-email')?.value.trim() ?? '') : '';
  const idempotencyKey = crypto.randomUUID();
  await sendOrder(place, open ?? { listingId, way, query, priceCents, email, idempotencyKey, payment: null });
}

/** Says that an order is open, and sends it again when the reader wants to know. */
export function offerKeptOrder(
  place: OrderPlace,
  text = 'You sent an order from here, and its outcome is not known yet.',
): void {
  const order = keptOrder(place.listingId);
  if (order === null) return;
  // It moves no money any more: what became of it is learned without asking.
  if (isPastValidity(order, place.now())) return void sendOrder(place, order);
  const promise =
    order.priceCents === 0
      ? 'It is free: nothing is ever charged.'
      : `If it was charged, then once: ${money(order.priceCents)} at most. Looking again buys no second time.`;
  show(
    place,
    element(
      'div',
      { class: 'note attention stack close', role: 'alert' },
      element('p', {}, element('strong', {}, text)),
      element('p', {}, promise),
      ...keptParts(place, order),
    ),
  );
}

/** What can be done with a kept order: send it again, save its payment, forget it. */
function keptParts(place: OrderPlace, order: KeptOrder): HTMLElement[] {
  const look = element('button', { type: 'button' }, 'Look again');
  look.addEventListener('click', () => void sendOrder(place, order));
  return [
    element('p', { class: 'actions' }, look, paymentFile(order)),
    forgetting(order, () => show(place, element('p', {}, 'The order is forgotten here.'))),
  ];
}

async function sendOrder(place: OrderPlace, order: KeptOrder): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  const button = place.form.querySelector<HTMLButtonElement>('button[type=submit]');
  button?.setAttribute('disabled', '');
  try {
    const send = () => sendAndShow(place, order);
    // Another tab may have the same listing open.
    if (!navigator.locks) await send();
    else
      await navigator.locks.request(`order ${order.listingId}`, { ifAvailable: true }, async (lock) => {
        if (lock) await send();
        else showRefusal(place, order, { ...NO_FACTS, charged: false, code: 'busy_elsewhere' });
      });
  } finally {
    isBusy = false;
    button?.removeAttribute('disabled');
    say(place);
    place.form.dispatchEvent(new Event('order-shown'));
  }
}

async function sendAndShow(place: OrderPlace, order: KeptOrder): Promise<void> {
  const isFree = order.priceCents === 0;
  const key = order.way === 'wallet' ? keyOf(place.form) : null;
  if (key === '') return showKeyFault(place, 'Enter the API key of the agent whose wallet pays.');
  say(place, WAITING[order.way]);
  const asking = saleSteps({
    status: order.way === 'card' ? 'pending_payment' : 'asking',
    amountCents: order.priceCents,
    deliveredAt: null,
    holdUntil: null,
  });
  show(place, draw(asking), { isFocused: false });
  const client = createMarketplaceClient({
    baseUrl: place.apiBaseUrl,
    ...(key === null ? {} : { apiKey: key }),
    // A person is told when to send it again, instead of waiting without a word.
    retries: 0,
    fetch: (...call) => fetch(...call),
  });
  try {
    // Before it is sent: whoever loses the answer finds the order here.
    if (order.way !== 'usdc') keepOrder(order);
    const bought =
      order.way === 'usdc' ? await payInUsdc(place, client, order) : await purchase(client, order);
    forgetOrder(order.listingId);
    if (key !== null) keepKey(place.form, key);
    showBought(place, order, bought, client);
  } catch (error) {
    const facts = factsOf(error);
    const sent = keptOrder(order.listingId) ?? order;
    if (!UNRESOLVED_CODES.includes(facts.code)) forgetOrder(order.listingId);
    if (KEY_FAULTS.includes(facts.code)) {
      sessionStorage.removeItem(AGENT_KEY);
      showKeyFault(place, refusalWords(facts, isFree).what);
    } else if (key !== null && facts.code !== 'network_error') keepKey(place.form, key);
    showRefusal(place, sent, facts);
  }
}

const WAITING: Readonly<Record<Way, string>> = {
  free: 'Asking the seller, up to 30 s.',
  card: 'Making the order. Next comes the card processor’s page.',
  wallet: 'The money is reserved. Asking the seller, up to 30 s.',
  usdc: 'Looking for a browser wallet.',
};

const KEY_FAULTS: readonly string[] = [
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'malformed_api_key',
];

async function purchase(client: MarketplaceClient, order: KeptOrder): Promise<Bought> {
  const { listingId, query, priceCents, email, way, idempotencyKey } = order;
  const bought = await client.purchaseListing(
    {
      listingId,
      maxPriceCents: priceCents,
      ...(query === null ? {} : { query }),
      ...(email === '' ? {} : { email }),
      ...(way === 'card' ? { paymentMethod: 'checkout' as const } : {}),
      ...(way === 'wallet' ? { paymentMethod: 'wallet' as const } : {}),
    },
    { idempotencyKey },
  );
  return { purchase: bought, pageUrl: null };
}

/** What pays in USDC is loaded by those who do. */
async function payInUsdc(place: OrderPlace, client: MarketplaceClient, order: KeptOrder): Promise<Bought> {
  const { payInUsdc: pay } = await import('./pay-in-usdc.ts');
  return pay(client, order, (text) => say(place, text), chosenWallet(place.form));
}

function factsOf(error: unknown): RefusalFacts {
  return error instanceof Error && 'facts' in error ? (error.facts as RefusalFacts) : refusalFacts(error);
}

/** The key that was typed in, or the one that this tab keeps. */
function keyOf(form: HTMLFormElement): string {
  return form.querySelector<HTMLInputElement>('#pay-key')?.value.trim() || (keptAgentKey() ?? '');
}

/** Kept in this tab, and no longer in the page. */
function keepKey(form: HTMLFormElement, key: string): void {
  sessionStorage.setItem(AGENT_KEY, key);
  const input = form.querySelector<HTMLInputElement>('#pay-key');
  if (input) input.value = '';
}

function showKeyFault({ form }: OrderPlace, message: string): void {
  const place = form.querySelector<HTMLElement>('#pay-key-fault');
  if (!place) return;
  place.textContent = message;
  place.hidden = false;
  place.closest('.field')?.classList.add('wrong');
  form.querySelector<HTMLElement>('#pay-key')?.focus();
}

/** Says beside the button what is waited for; nothing once it is over. */
function say({ form }: OrderPlace, text = ''): void {
  const parts = text === '' ? [] : [element('p', {}, text), element('progress', { 'aria-label': text })];
  form.querySelector('#order-status')?.replaceChildren(...parts);
}

function show(_place: OrderPlace, content: Node, { isFocused = true } = {}): void {
  const place = document.querySelector<HTMLElement>('#outcome');
  place?.replaceChildren(content);
  if (!isFocused) return;
  place?.focus({ preventScroll: true });
  place?.scrollIntoView({ block: 'start' });
}

function showRefusal(place: OrderPlace, order: KeptOrder, facts: RefusalFacts): void {
  const note = draw(refusalOutline(refusalWords(facts, order.priceCents === 0)));
  const kept = keptOrder(order.listingId);
  if (kept !== null) note.append(...keptParts(place, kept));
  // The outcome is known and the payment is spent: it stays of use for whoever complains.
  else if (facts.charged !== false && order.payment !== null)
    note.append(element('p', { class: 'actions' }, paymentFile(order)));
  show(place, note);
}

function showBought(place: OrderPlace, order: KeptOrder, bought: Bought, client: MarketplaceClient): void {
  const { purchase, pageUrl } = bought;
  const shown = draw(purchaseOutline(purchase, place.apiBaseUrl));
  if (pageUrl !== null) {
    const link = element('a', { href: pageUrl }, 'The page of your purchase');
    shown.append(
      element(
        'p',
        {},
        link,
        ': keep its address. It opens the purchase again, and a dispute while the money is in escrow.',
      ),
    );
  }
  if (order.way === 'wallet' && purchase.contentStatus === 'delivered')
    shown.append(rateForm(client, purchase));
  show(place, shown);
  document.dispatchEvent(new Event('live'));
  void checkReceipt();
  const checkout = platformLink(purchase.checkoutUrl);
  if (checkout !== null) location.assign(checkout);
}

function rateForm(client: MarketplaceClient, { listingId, id: purchaseId }: Purchase): HTMLElement {
  const stars = ['', '5', '4', '3', '2', '1'].map(
    (value) => [value, value === '' ? 'Choose…' : `${value} of 5`] as const,
  );
  const form = actionForm(
    'Rate it',
    [
      {
        name: 'rating',
        label: 'Your rating, without your name',
        type: 'select',
        options: stars,
        attributes: { required: '' },
      },
      {
        name: 'comment',
        label: 'Comment, public (optional)',
        type: 'textarea',
        attributes: { maxlength: '2000' },
      },
    ],
    async ({ rating, comment = '' }) => {
      const more = comment.trim() === '' ? {} : { comment };
      await client.rateListing({ listingId, purchaseId, rating: Number(rating), ...more });
      return 'Thank you: your rating is published.';
    },
  );
  return element('section', { class: 'stack' }, element('h3', {}, 'Rate it'), form);
}
