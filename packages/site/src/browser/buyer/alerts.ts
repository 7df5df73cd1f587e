import type { Operations } from '@agent-marketplace/sdk';
import { countNoun } from '../../format/figures.ts';
import { errorText } from '../../order/error-text.ts';
import { AGENT_KEY } from '../parts/agent-key.ts';
import { fromTemplate, stateBadge } from '../parts/console/templates.ts';
import { element, table, timeOf, titleOf } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import { sayDone } from '../parts/say-done.ts';
import { openSession, type Session, withApiKey } from '../parts/session.ts';

type Alert = Operations['listAlerts']['output']['alerts'][number];
type Filters = Pick<Operations['createAlert']['input'], 'category' | 'vertical' | 'price'>;

const address = new URLSearchParams(location.search);

/** What the search had beside its words: it stays as it was. */
const filters: Filters = Object.fromEntries(
  ['category', 'vertical', 'price'].flatMap((name) => {
    const value = address.get(name);
    return value === null ? [] : [[name, value]];
  }),
);

openSession(AGENT_KEY, withApiKey, async (session) => {
  const { alerts } = await session.api.listAlerts();
  return [newAlert(session), alerts.length === 0 ? fromTemplate('no-alerts') : alertTable(session, alerts)];
});

function newAlert(session: Session): HTMLElement {
  const within = Object.values(filters).join(', ');
  return element(
    'section',
    { class: 'stack' },
    element('h2', {}, 'Tell me when there is one'),
    ...(within === '' ? [] : [element('p', { class: 'soft' }, `Only in: ${within}`)]),
    actionForm(
      'Tell me',
      [
        {
          name: 'q',
          label: 'What you look for',
          attributes: {
            value: address.get('q') ?? '',
            maxlength: '200',
            ...(within === '' ? { required: '' } : {}),
          },
        },
        {
          name: 'how',
          label: 'How you are told',
          type: 'select',
          options: [
            ['event', 'Under Events, and your program'],
            ['mail', 'By mail as well'],
          ],
        },
      ],
      async ({ q = '', how }) => {
        const words = q.trim();
        await session.api.createAlert({
          ...filters,
          ...(words === '' ? {} : { q: words }),
          byMail: how === 'mail',
        });
        return sayDone(session, 'You will hear of it as soon as there is one.');
      },
    ),
  );
}

function alertTable(session: Session, alerts: readonly Alert[]): HTMLElement {
  return table(
    'Alerts',
    ['Since', 'What you look for', 'How it stands', 'Found', 'Action'],
    alerts.map((alert) => [
      timeOf(alert.createdAt),
      titleOf([alert.q, alert.category, alert.vertical].filter((one) => one !== null).join(', ')),
      alert.matchedAt === null ? stateBadge('waiting', 'Waiting') : stateBadge('done', 'There is one'),
      foundOf(alert),
      removeButton(session, alert),
    ]),
  );
}

function foundOf({ listingIds }: Alert): HTMLElement | string {
  const [first] = listingIds;
  if (first === undefined) return '–';
  return element('a', { href: `/listings/${first}` }, countNoun(listingIds.length, 'listing'));
}

function removeButton(session: Session, { id, q }: Alert): HTMLElement {
  const name = `Remove the alert${q === null ? '' : ` for ${q}`}`;
  const button = element('button', { type: 'button', class: 'quiet', 'aria-label': name }, 'Remove');
  button.addEventListener('click', async () => {
    try {
      await session.api.deleteAlert({ alertId: id });
      await sayDone(session, 'The alert is removed.');
    } catch (error) {
      button.replaceWith(element('span', { role: 'alert' }, errorText(error)));
    }
  });
  return button;
}
