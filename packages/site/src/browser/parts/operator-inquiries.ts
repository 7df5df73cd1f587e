import type { Operations } from '@agent-marketplace/sdk';
import { count, instant } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import type { Desk } from './desk.ts';
import { element, emptyText, section, untrustedText } from './dom.ts';
import { actionForm } from './forms.ts';

const THREAD_STATES = { open: 'waiting for us', awaiting_inquirer: 'answered', closed: 'closed' } as const;

/** The inquiries, each with its thread and the forms to answer it. */
export function operatorInquiries(
  desk: Desk,
  { inquiries, total }: Operations['listInquiries']['output'],
): HTMLElement {
  const entries = inquiries.map((one) => {
    const title = element(
      'summary',
      {},
      untrustedText(oneLine(one.subject, 120)),
      ` · ${THREAD_STATES[one.status]}`,
    );
    const details = element('details', { class: 'inquiry' }, title);
    details.addEventListener('toggle', () => void showThread(details, desk, one.id), { once: true });
    return details;
  });
  return section(`Inquiries (${count(total)})`, ...(entries.length > 0 ? entries : [emptyText()]));
}

async function showThread(
  details: HTMLElement,
  { api, baseUrl, refresh }: Desk,
  inquiryId: string,
): Promise<void> {
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
  const after = async (done: Promise<unknown>) => {
    await done;
    await refresh();
    return null;
  };
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
  details.append(
    actionForm(
      'Reply',
      [
        { name: 'authorName', label: 'Your name', attributes: { required: '', maxlength: '100' } },
        {
          name: 'body',
          label: 'Reply',
          type: 'textarea',
          attributes: { required: '', rows: '5', maxlength: '10000' },
        },
      ],
      ({ authorName = '', body = '' }) => after(api.replyToInquiry({ inquiryId, authorName, body })),
    ),
    actionForm(
      'Close',
      [{ name: 'reason', label: 'Reason', attributes: { required: '', maxlength: '500' } }],
      ({ reason = '' }) => after(api.closeInquiry({ inquiryId, reason })),
    ),
  );
}
