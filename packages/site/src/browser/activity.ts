import type { AgentEvent, Operations } from '@agent-marketplace/sdk';
import { money } from '../format/figures.ts';
import { platformLink } from '../format/text.ts';
import { AGENT_KEY } from './parts/agent-key.ts';
import { type Desk, openDesk, withApiKey } from './parts/desk.ts';
import { element, emptyText, section, table, timeOf, titleOf } from './parts/dom.ts';
import { errorText } from './parts/forms.ts';

type Purchases = Operations['listPurchases']['output'];
type Purchase = Purchases['purchases'][number];

const PAGE = 20;
/** So many of the newest are shown as the page opens, and no more than so many at once. */
const RECENT = 20;
const MAX_SHOWN = 200;

const STATES: Readonly<Record<Purchase['status'], string>> = {
  pending_payment: 'Waits for its payment',
  authorized: 'Paid for, not collected',
  held: 'Delivered, money in escrow',
  releasing: 'Delivered, seller is being paid',
  released: 'Delivered, seller is paid',
  refunded: 'Refunded',
  expired: 'Not collected, nothing charged',
  failed: 'Not delivered, nothing charged',
};

openDesk(AGENT_KEY, withApiKey, async ({ api }) => {
  const [purchases, { lastSequence }] = await Promise.all([
    api.listPurchases({ limit: PAGE }),
    api.listAgentEvents({ limit: 1 }),
  ]);
  return [
    section('Purchases', purchaseList(api, purchases)),
    section('Events', liveEvents(api, Math.max(0, lastSequence - RECENT))),
  ];
});

/** A page of purchases, with a button that loads the next. */
function purchaseList(api: Desk['api'], { purchases, nextCursor }: Purchases): HTMLElement {
  if (purchases.length === 0) return emptyText();
  const rows = purchases.map((one) => [
    timeOf(one.createdAt),
    titleOf(one.listingTitle),
    STATES[one.status],
    money(one.amountCents),
    openButton(api, one),
  ]);
  const whole = element(
    'div',
    { class: 'stack' },
    table('Purchases', ['When', 'What', 'How it stands', '#Amount', 'Page'], rows),
  );
  if (nextCursor === null) return whole;
  const more = element('button', { type: 'button', class: 'quiet' }, 'Show earlier');
  more.addEventListener('click', async () => {
    const next = await api.listPurchases({ limit: PAGE, cursor: nextCursor });
    more.replaceWith(purchaseList(api, next));
  });
  whole.append(more);
  return whole;
}

/** The page of a purchase has its receipt. Its link opens it for whoever has it, so it is made when it is wanted. */
function openButton(api: Desk['api'], { id, deliveredAt }: Purchase): HTMLElement {
  const text = deliveredAt === null ? 'Open' : 'Receipt';
  const button = element(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': `${text} of purchase ${id.slice(0, 8)}` },
    text,
  );
  button.addEventListener('click', async () => {
    try {
      const href = platformLink((await api.getPurchaseLink({ purchaseId: id })).purchaseUrl);
      if (href !== null) location.assign(href);
    } catch (error) {
      button.replaceWith(element('span', { role: 'alert' }, errorText(error)));
    }
  });
  return button;
}

/** Newest first, with each new one as it happens, until the list is taken off the page. */
function liveEvents(api: Desk['api'], after: number): HTMLElement {
  const list = element('ol', { class: 'stack', reversed: '', 'aria-live': 'polite', 'aria-label': 'Events' });
  const status = element('p', { class: 'soft', role: 'status' }, 'New events appear here by themselves.');
  const stopped = new AbortController();
  const gone = new MutationObserver(() => {
    if (list.isConnected) return;
    stopped.abort();
    gone.disconnect();
  });
  // By then the list is on the page.
  setTimeout(() => gone.observe(document.body, { childList: true, subtree: true }));
  void (async () => {
    try {
      const events = api.events({ after, signal: stopped.signal, onMissed: () => {} });
      for await (const event of events) {
        list.prepend(eventLine(event));
        list.children[MAX_SHOWN]?.remove();
      }
    } catch (error) {
      if (!stopped.signal.aborted) status.textContent = `No more events are shown: ${errorText(error)}`;
    }
  })();
  return element('div', { class: 'stack' }, status, list);
}

function eventLine({ createdAt, data, sequence, type }: AgentEvent): HTMLElement {
  const words = type.replace(/[._]/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
  const purchaseId = typeof data.purchaseId === 'string' ? data.purchaseId : null;
  return element(
    'li',
    { value: String(sequence) },
    words,
    purchaseId !== null &&
      element('span', {}, ': ', element('code', { title: purchaseId }, purchaseId.slice(0, 8))),
    ' ',
    timeOf(createdAt),
  );
}
