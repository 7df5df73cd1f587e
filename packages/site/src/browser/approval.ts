import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { visibleText } from '../format/text.ts';
import { errorText } from '../order/error-text.ts';
import { element } from './parts/dom.ts';
import { takeMailedToken } from './parts/mailed-token.ts';
import { askPasskey } from './parts/passkey.ts';

type Decision = 'approve' | 'decline';

const DONE = {
  approved: 'Approved. Your agent can buy it now, once, with the request that it sent.',
  declined: 'Declined. Nothing is bought.',
} as const;

const MAILED = 'No passkey is enrolled for this agent. Use the link that was mailed to its verified address.';
const NOBODY =
  'Nobody can decide this yet: the agent has no passkey and no verified e-mail address, or its owner had ten such mails ' +
  'today. Verify an address of the agent, or enrol a passkey; then have the agent ask again.';

const place = document.querySelector<HTMLElement>('#decision[data-status="pending"]');
if (place) offerDecision(place, takeMailedToken());

function offerDecision(place: HTMLElement, token: string | null): void {
  const {
    api: baseUrl = '/api',
    id = '',
    price = '',
    approve = '',
    decline = '',
    read = '',
    passkeys = '[]',
    by = '',
  } = place.dataset;
  const known = JSON.parse(passkeys) as string[];
  const api = createMarketplaceClient({ baseUrl, fetch: (...call) => fetch(...call) });
  const message = element('p', { role: 'status' });
  const challenges = { approve, decline, read };

  const proofFor = async (act: Decision | 'read') =>
    token === null ? { passkey: await askPasskey(challenges[act], known) } : { token };

  async function attempt(action: () => Promise<void>): Promise<void> {
    message.className = '';
    message.textContent = token === null ? 'Your device asks for you…' : 'Sending…';
    try {
      await action();
    } catch (error) {
      message.className = 'note stop';
      message.textContent = errorText(error);
    }
  }

  const showQuery = () =>
    attempt(async () => {
      const { query } = await api.readApprovalQuery({ approvalId: id, ...(await proofFor('read')) });
      const text = visibleText(JSON.stringify(query, null, 2));
      const figure = element(
        'figure',
        { class: 'code', tabindex: '-1' },
        element('figcaption', {}, 'What it asks the seller'),
        element('pre', {}, element('code', {}, text)),
      );
      document.querySelector('#query')?.replaceChildren(figure);
      message.textContent = '';
      seeQuery?.remove();
      figure.focus();
    });

  const decide = (decision: Decision) =>
    attempt(async () => {
      const { status } = await api.decideApproval({
        approvalId: id,
        decision,
        ...(await proofFor(decision)),
      });
      // Nothing waits any more.
      for (const part of document.querySelectorAll('.lead, #query > p')) part.remove();
      place.replaceChildren(element('p', { class: 'note done', role: 'status' }, DONE[status]));
      place.focus();
    });

  if (token === null && known.length === 0) {
    place.replaceChildren(element('p', { class: 'note' }, by.includes('mail') ? MAILED : NOBODY));
    return;
  }
  const seeQuery =
    read === '' ? null : element('button', { type: 'button', class: 'quiet' }, 'See what it asks');
  seeQuery?.addEventListener('click', () => void showQuery());
  const decisionButton = (decision: Decision, text: string, quiet: boolean) => {
    const button = element('button', { type: 'button', ...(quiet ? { class: 'quiet' } : {}) }, text);
    button.addEventListener('click', () => void decide(decision));
    return button;
  };
  place.replaceChildren(
    element(
      'p',
      { class: 'actions' },
      seeQuery,
      decisionButton('approve', `Approve ${price}`, false),
      decisionButton('decline', 'Decline', true),
    ),
    message,
  );
}
