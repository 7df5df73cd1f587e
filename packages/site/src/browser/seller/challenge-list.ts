import type { MarketplaceError } from '@agent-marketplace/sdk';
import { challengeSteps } from '../../selling/challenge-steps.ts';
import { element } from '../parts/dom.ts';

/** An endpoint has 15 seconds for the challenge. */
export const CHALLENGE_TIMEOUT_MS = 30_000;

/** What was sent and what came back, as on the page of a claim; with what to do where the challenge failed. */
export function challengeList(type: string, outcome: MarketplaceError | number): HTMLElement {
  const items = challengeSteps(type, outcome).map(({ did, isDone, trouble = [] }) =>
    element(
      'li',
      {},
      element('span', { 'aria-hidden': 'true' }, isDone ? '✓' : '✗'),
      element(
        'div',
        {},
        element('span', { class: 'visually-hidden' }, isDone ? 'Done: ' : 'Failed: '),
        did,
        ...trouble.map((text) => element('p', { class: 'soft' }, text)),
      ),
    ),
  );
  return element('ol', { class: 'challenge' }, ...items);
}

export function failedChallenge(type: string, error: MarketplaceError): HTMLElement {
  return element('div', { class: 'note stop', role: 'status' }, challengeList(type, error));
}
