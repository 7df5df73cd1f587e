import { type AgentEvent, createMarketplaceClient } from '@agent-marketplace/sdk';
import { errorText } from '../../order/error-text.ts';
import { AGENT_KEY } from '../parts/agent-key.ts';
import { fromTemplate } from '../parts/console/templates.ts';
import { element, timeOf } from '../parts/dom.ts';
import { openSession, type Session, type withApiKey } from '../parts/session.ts';

/** What happened, where the name of the event would be no sentence; of others the name is read as words. */
const WORDS: Readonly<Record<string, string>> = {
  'alert.matched': 'Something you look for is for sale',
  'purchase.authorized': 'Paid or reserved: ready to collect',
  'purchase.delivered': 'Delivered',
  'purchase.refunded': 'Refunded to you',
  'purchase.expired': 'Not collected in time: nothing was charged',
  'purchase.notice': 'Its money waits, or moves again: see the purchase',
  'purchase.dispute_statement': 'Something was said in your dispute',
  'purchase.dispute_decided': 'Your dispute was decided',
  'account.limited': 'What your account may buy was changed',
  'account.callback_changed': 'Your callback URL was changed or removed',
  'moderation.decided': 'An operator decided a report or an appeal',
  'inquiry.replied': 'Your inquiry was answered',
};

/** So many of the newest are shown as the page opens, and no more than so many at once. */
const RECENT = 20;
const MAX_SHOWN = 200;

/** What breaks while nobody looks is tried again. */
const patient: typeof withApiKey = (baseUrl, apiKey) =>
  createMarketplaceClient({ baseUrl, apiKey, fetch: (...call) => fetch(...call) });

openSession(AGENT_KEY, patient, async ({ api }) => {
  const { lastSequence } = await api.listAgentEvents({ limit: 1 });
  return [liveEvents(api, lastSequence)];
});

/** Newest first, with each new one as it happens, until the list is taken off the page. */
function liveEvents(api: Session['api'], lastSequence: number): HTMLElement {
  const list = element('ol', {
    class: 'timeline',
    reversed: '',
    'aria-live': 'polite',
    'aria-label': 'Events',
  });
  const status = element('p', { class: 'soft', role: 'status' }, 'New events appear here by themselves.');
  const nothing = lastSequence === 0 ? fromTemplate('no-events') : null;
  const whole = element('div', { class: 'stack' }, status, nothing, list);
  const stopped = new AbortController();
  const gone = new MutationObserver(() => {
    if (whole.isConnected) return;
    stopped.abort();
    gone.disconnect();
  });
  // By then the list is on the page.
  setTimeout(() => gone.observe(document.body, { childList: true, subtree: true }));
  void (async () => {
    try {
      const after = Math.max(0, lastSequence - RECENT);
      const events = api.events({ after, signal: stopped.signal, onMissed: () => {} });
      for await (const event of events) {
        nothing?.remove();
        list.prepend(eventLine(event));
        list.children[MAX_SHOWN]?.remove();
      }
    } catch (error) {
      if (!stopped.signal.aborted)
        status.textContent = `No more events are shown. Reload the page to go on. ${errorText(error)}`;
    }
  })();
  return whole;
}

function eventLine({ createdAt, data, sequence, type }: AgentEvent): HTMLElement {
  const words = WORDS[type] ?? type.replace(/[._]/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
  const purchaseId = typeof data.purchaseId === 'string' ? data.purchaseId : null;
  return element(
    'li',
    { value: String(sequence) },
    element('strong', {}, words, data.decidedBy === 'rule' && ' by the rule'),
    purchaseId !== null &&
      element('span', {}, 'Purchase ', element('code', { title: purchaseId }, purchaseId.slice(0, 8))),
    timeOf(createdAt),
  );
}
