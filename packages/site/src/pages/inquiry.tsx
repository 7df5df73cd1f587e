import type { MarketplaceError, Operations } from '@agent-marketplace/sdk';
import { SellerProse, SellerText } from '../components/text.tsx';
import { Instant } from '../components/time.tsx';
import { attachmentsOf } from '../format/attachments-of.ts';
import { count } from '../format/figures.ts';
import { oneLine } from '../format/text.ts';
import { definePage, type PageAnswer, type PageView, type Visit } from '../page.ts';
import { refusalOf } from './contact.tsx';
import { MessageFields } from './inquiry/fields.tsx';

type Thread = Operations['getInquiryThread']['output'];
type Message = Thread['messages'][number];

/** The thread of an inquiry. Its id is a capability: anyone who has the address can read and write. */
export const inquiryPage = definePage({
  path: '/inquiries/{id}',
  get: (visit) => view(visit, null),
  async post(visit): Promise<PageAnswer> {
    const { api, form, files, params, url } = visit;
    try {
      await api.followUpInquiry({
        inquiryId: params.id ?? '',
        message: form.get('message') ?? '',
        attachments: await attachmentsOf(files),
      });
      return { redirect: `${url.pathname}#latest` };
    } catch (error) {
      const text = refusalOf(error);
      if (text === null) throw error;
      return { ...(await view(visit, text)), status: (error as MarketplaceError).status };
    }
  },
});

async function view(visit: Visit, refusal: string | null): Promise<PageView> {
  const { api, apiBaseUrl, params, url, form } = visit;
  const thread = await api.getInquiryThread({ inquiryId: params.id ?? '' });
  const isNew = url.searchParams.has('new');
  const { inquiry, messages } = thread;
  return {
    title: inquiry.subject,
    description: 'An inquiry and its answers.',
    isPrivate: true,
    main: (
      <div class="sections">
        <div class="page-head">
          <p class="overline">{STATES[thread.thread.status]}</p>
          <h1>
            <SellerText text={oneLine(inquiry.subject, 200) || 'Your inquiry'} />
          </h1>
          {isNew && (
            <p class="note" role="status">
              We have your message. Keep the address of this page: it is the only way back
              {inquiry.email === null ? '.' : ', besides the mail that tells you about an answer.'}
            </p>
          )}
        </div>
        <ol class="thread">
          {messages.map((message, index) => (
            <MessageView message={message} apiBaseUrl={apiBaseUrl} isLast={index === messages.length - 1} />
          ))}
        </ol>
        <FollowUp thread={thread} path={url.pathname} refusal={refusal} message={form.get('message') ?? ''} />
      </div>
    ),
  };
}

const STATES: Readonly<Record<Thread['thread']['status'], string>> = {
  open: 'Waiting for our answer',
  awaiting_inquirer: 'Answered',
  closed: 'Closed',
};

function MessageView({
  message,
  apiBaseUrl,
  isLast,
}: {
  message: Message;
  apiBaseUrl: string;
  isLast: boolean;
}) {
  const isOurs = message.from === 'team';
  return (
    <li class={isOurs ? 'ours' : undefined} id={isLast ? 'latest' : undefined}>
      <p class="fine">
        {isOurs ? <SellerText text={oneLine(message.authorName ?? 'The team')} /> : 'You'},{' '}
        <Instant iso={message.createdAt} />
      </p>
      <SellerProse text={message.body} />
      {message.attachments.length > 0 && (
        <ul>
          {message.attachments.map(({ filename, sizeBytes, url }) => (
            <li>
              <a href={apiBaseUrl + url} download>
                <SellerText text={oneLine(filename, 120)} />
              </a>{' '}
              <span class="fine">{count(Math.ceil(sizeBytes / 1024))} KiB</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function FollowUp({
  thread: { thread },
  path,
  refusal,
  message,
}: {
  thread: Thread;
  path: string;
  refusal: string | null;
  message: string;
}) {
  if (thread.status === 'closed') {
    return (
      <section class="stack" aria-labelledby="closed">
        <h2 id="closed">This thread is closed</h2>
        <p>
          {thread.closedBy === 'policy'
            ? 'Nobody wrote for thirty days, so it was closed.'
            : 'Our team closed it.'}{' '}
          {thread.closedReason !== null && <SellerText text={thread.closedReason} />}
        </p>
        <p>
          <a href="/contact">Open a new one</a>
        </p>
      </section>
    );
  }
  return (
    <section class="stack" aria-labelledby="write">
      <h2 id="write">Reply</h2>
      {refusal !== null && (
        <p class="note stop" role="alert">
          {refusal}
        </p>
      )}
      <form class="stack half" method="post" action={path} enctype="multipart/form-data">
        <MessageFields message={message} />
        <div class="actions">
          <button type="submit">Send</button>
          {thread.closesAt !== null && (
            <span class="soft">
              Closes automatically on <Instant iso={thread.closesAt} />.
            </span>
          )}
        </div>
      </form>
    </section>
  );
}
