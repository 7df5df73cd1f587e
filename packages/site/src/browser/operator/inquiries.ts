import type { Operations } from '@agent-marketplace/sdk';
import { count, instant } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import { errorText } from '../../order/error-text.ts';
import { element, emptyText, section, untrustedText } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import { sayDone } from '../parts/say-done.ts';
import { forRole, type OperatorSession } from './operator-session.ts';

type Status = NonNullable<Operations['listInquiries']['input']['status']>;

const PAGE = 50;
const TITLES = {
  open: 'Waiting for us',
  awaiting_inquirer: 'Answered',
  closed: 'Closed',
} as const satisfies Readonly<Record<Status, string>>;

/** The inquiries that stand like this, each with its thread and the forms to answer it. */
export async function operatorInquiries(
  session: OperatorSession,
  status: Status,
): Promise<readonly HTMLElement[]> {
  const first = await session.api.listInquiries({ status, limit: PAGE });
  const list = element('div', { class: 'stack' }, ...first.inquiries.map((one) => entryOf(session, one)));
  const more = element('div', { class: 'actions' });
  const offerMore = (offset: number) => {
    more.replaceChildren();
    if (offset >= first.total) return;
    const button = element('button', { type: 'button', class: 'quiet' }, 'Show earlier ones');
    button.addEventListener('click', async () => {
      const next = await session.api.listInquiries({ status, limit: PAGE, offset });
      list.append(...next.inquiries.map((one) => entryOf(session, one)));
      offerMore(offset + PAGE);
    });
    more.append(button);
  };
  offerMore(PAGE);
  return [section(`${TITLES[status]} (${count(first.total)})`, first.total === 0 ? emptyText() : list, more)];
}

function entryOf(
  session: OperatorSession,
  one: Operations['listInquiries']['output']['inquiries'][number],
): HTMLElement {
  const details = element(
    'details',
    { class: 'inquiry' },
    element(
      'summary',
      {},
      untrustedText(oneLine(one.subject, 120)),
      ` · ${one.category}, ${instant(one.createdAt)}`,
    ),
  );
  details.addEventListener(
    'toggle',
    () =>
      void showThread(details, session, one.id).catch((error: unknown) =>
        details.append(element('p', { class: 'note stop', role: 'alert' }, errorText(error))),
      ),
    { once: true },
  );
  return details;
}

/** What people would like to be here. */
export async function operatorIdeas({ api }: OperatorSession): Promise<readonly HTMLElement[]> {
  const { ideas, total } = await api.listIdeas({ limit: 100 });
  const entries = ideas.map((one) =>
    element(
      'details',
      {},
      element('summary', {}, untrustedText(oneLine(one.title, 120))),
      element('div', { class: 'seller-prose', dir: 'auto' }, untrustedText(one.description)),
      one.impact !== null && element('p', { class: 'soft' }, untrustedText(one.impact)),
    ),
  );
  return [section(`Ideas (${count(total)})`, ...(entries.length > 0 ? entries : [emptyText()]))];
}

async function showThread(details: HTMLElement, session: OperatorSession, inquiryId: string): Promise<void> {
  const { api, baseUrl } = session;
  const { inquiry, messages, thread } = await api.getInquiry({ inquiryId });
  const read = messages.map((one) =>
    element(
      'div',
      { class: 'message' },
      element(
        'p',
        { class: 'fine' },
        `${one.from === 'team' ? 'We' : 'They'}, ${instant(one.createdAt)}, mail: ${one.emailStatus}`,
      ),
      element('div', { class: 'seller-prose', dir: 'auto' }, untrustedText(one.body)),
      ...one.attachments.map(({ filename, url }) =>
        element(
          'p',
          {},
          element('a', { href: baseUrl + url, download: '' }, untrustedText(oneLine(filename, 120))),
        ),
      ),
    ),
  );
  details.append(
    element(
      'p',
      { class: 'fine' },
      `${inquiry.category}, from `,
      untrustedText(inquiry.email ?? inquiry.submittedBy),
    ),
    ...read,
  );
  if (thread.status === 'closed') return;
  const reply = [
    {
      name: 'authorName',
      label: 'Your name',
      attributes: { required: '', maxlength: '100', value: session.you.name },
    },
    {
      name: 'body',
      label: 'Reply',
      type: 'textarea',
      attributes: { required: '', rows: '5', maxlength: '10000' },
    },
  ];
  const reason = {
    name: 'reason',
    label: 'Why it needs no further answer',
    attributes: { required: '', maxlength: '500' },
  };
  details.append(
    forRole(session, 'support', () =>
      element(
        'div',
        { class: 'stack' },
        actionForm('Reply', reply, async ({ authorName = '', body = '' }) => {
          await api.replyToInquiry({ inquiryId, authorName, body });
          return sayDone(session, 'Your reply is in the thread, and mailed to whoever left an address.');
        }),
        actionForm('Close the inquiry', [reason], async (values) => {
          await api.closeInquiry({ inquiryId, reason: values.reason ?? '' });
          return sayDone(session, 'The inquiry is closed.');
        }),
      ),
    ),
  );
}
