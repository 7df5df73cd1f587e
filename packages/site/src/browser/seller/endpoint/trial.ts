import type { Operations } from '@agent-marketplace/sdk';
import { count, seconds } from '../../../format/figures.ts';
import { oneLine } from '../../../format/text.ts';
import { element, facts, section, untrustedText } from '../../parts/dom.ts';
import { actionForm } from '../../parts/forms.ts';
import type { Session } from '../../parts/session.ts';

type Trial = Operations['testListing']['output'];

/** Up to 30 seconds for the endpoint, and some for the way. */
const TRIAL_TIMEOUT_MS = 45_000;

/** Has the endpoint asked as a buyer would, and shows what it made of that. */
export function trial(
  { api }: Session,
  listings: readonly { readonly id: string; readonly title: string }[],
) {
  const fields =
    listings.length === 1
      ? []
      : [
          {
            name: 'listingId',
            label: 'Listing',
            type: 'select',
            options: listings.map(({ id, title }) => [id, oneLine(title, 80)] as const),
          },
        ];
  const form = actionForm('Ask me now', fields, async ({ listingId = listings[0]?.id ?? '' }) =>
    result(await api.testListing({ listingId }, { timeoutMs: TRIAL_TIMEOUT_MS })),
  );
  return section(
    'Ask me now',
    element(
      'p',
      {},
      'The marketplace asks your endpoint as a buyer would, with the example of the listing, and waits up to 30 seconds. Nothing is sold, charged or counted.',
    ),
    form,
  );
}

function result({ verdict, detail, latencyMs, request, answerText, answerBytes }: Trial): HTMLElement {
  const isGood = verdict === 'delivered';
  return element(
    'div',
    { class: 'stack' },
    element(
      'p',
      { class: isGood ? 'note done' : 'note stop' },
      element('strong', {}, isGood ? 'It delivers. ' : 'It does not deliver. '),
      detail,
    ),
    facts([
      ['Sent to', request.callbackUrl === null ? '–' : untrustedText(request.callbackUrl)],
      ['Took', seconds(latencyMs)],
      ['Query', code(JSON.stringify(request.query, null, 2))],
      [
        'Answer',
        answerText === null
          ? 'Nothing that a buyer would get.'
          : code(
              answerText.length < (answerBytes ?? 0)
                ? `${answerText}… (${count(answerBytes ?? 0)} bytes in all)`
                : answerText,
            ),
      ],
    ]),
  );
}

const code = (text: string) =>
  element('pre', { class: 'query', tabindex: '0' }, element('code', {}, untrustedText(text)));
