import { MarketplaceError, ProvenanceError } from '@agent-marketplace/sdk';
import { waitText } from '../../../format/figures.ts';
import { visibleText } from '../../../format/text.ts';
import { errorText } from '../../../order/error-text.ts';
import { forPeople } from '../../../order/for-people.ts';
import { retryAfterSeconds } from '../../../order/refusal-facts.ts';
import { refusalOutline } from '../../../order/refusal-outline.ts';
import { element } from '../dom.ts';
import { draw } from '../order/draw.ts';

/** What a page does when what it asked for is refused. */
export interface Explained {
  readonly what: string;
  readonly next: string;
  /** `key`: another key is needed, and this one is forgotten. `scope`: it is good for other pages. `wait`: try again. */
  readonly kind: 'key' | 'scope' | 'wait' | 'other';
}

const NOT_VALID = 'This key is not valid here.';
const OTHER_KEY = 'Enter another key of your agent. If all are lost, recover the account.';

const KEYS: Readonly<Record<string, Pick<Explained, 'what' | 'next'>>> = {
  invalid_api_key: { what: NOT_VALID, next: 'Check that all of it was copied, or make a new one.' },
  malformed_api_key: { what: NOT_VALID, next: 'It begins with mkt_live_: check that all of it was copied.' },
  admin_required: {
    what: NOT_VALID,
    next: 'Check that all of it was copied. Where it was revoked or replaced, an admin gives you a new one.',
  },
  api_key_revoked: { what: `${NOT_VALID} It was revoked.`, next: OTHER_KEY },
  api_key_expired: { what: `${NOT_VALID} It has ended, or another took its place.`, next: OTHER_KEY },
};

export function explainRefusal(error: unknown): Explained {
  if (error instanceof ProvenanceError)
    return {
      what: 'An answer came that the marketplace did not sign. It is not shown.',
      next: 'Try again in a minute. If it stays so, something between you and the marketplace changes its answers.',
      kind: 'wait',
    };
  if (!(error instanceof MarketplaceError))
    return { what: 'The marketplace could not be reached.', next: 'Try again in a minute.', kind: 'wait' };
  const { code, status, problem } = error;
  const wait = waitText(retryAfterSeconds(error));
  const known = KEYS[code];
  if (known) return { ...known, kind: 'key' };
  const detail = typeof problem.detail === 'string' ? visibleText(forPeople(problem.detail, null)) : '';
  if (code === 'scope_missing')
    return {
      what: 'This key may not do what this page needs.',
      next: `${detail} Open the page with another key, or make one for it under Keys and budgets.`,
      kind: 'scope',
    };
  if (code === 'role_missing')
    return { what: errorText(error), next: 'Other pages still open with your secret.', kind: 'scope' };
  if (code === 'agent_suspended')
    return { what: errorText(error), next: 'Your profile says why.', kind: 'scope' };
  if (status === 401 || status === 403) return { what: NOT_VALID, next: errorText(error), kind: 'key' };
  if (status === 429)
    return {
      what: 'There were too many requests from you.',
      next: `Try again ${wait}.`,
      kind: 'wait',
    };
  if (status === 0)
    return { what: 'The marketplace could not be reached.', next: 'Try again in a minute.', kind: 'wait' };
  if (status >= 500)
    return {
      what: 'The marketplace cannot answer this now.',
      next: `It is not your key. Try again ${wait}.`,
      kind: 'wait',
    };
  return { what: errorText(error), next: 'Reload the page, and try again.', kind: 'other' };
}

/** What happened, and what to do; with `retry`, a button for that. `money` says what became of it where there may be some. */
export function refusalNote(
  { what, next }: Explained,
  money: string | null,
  retry: (() => void) | null,
): HTMLElement {
  const note = draw(refusalOutline({ what, money, next, link: null }));
  if (retry !== null) {
    const button = element('button', { type: 'button', class: 'quiet' }, 'Try again');
    button.addEventListener('click', retry);
    note.append(element('p', { class: 'actions' }, button));
  }
  return note;
}
