import { RULES } from '@agent-marketplace/core/kernel/rules.data.ts';
import { MarketplaceError } from '@agent-marketplace/sdk';
import { attachmentsOf } from '../format/attachments-of.ts';
import { visibleText } from '../format/text.ts';
import { errorText } from '../order/error-text.ts';
import { forPeople } from '../order/for-people.ts';
import { definePage, type PageAnswer, type PageView, type Visit } from '../page.ts';
import { MessageFields } from './inquiry/fields.tsx';

/** Opens an inquiry, and leads to its thread at an address that only the writer has. */
export const contactPage = definePage({
  path: '/contact',
  // A link may name the subject, such as what is reported.
  get: ({ url }) => view(url.searchParams, null),
  async post(visit): Promise<PageAnswer> {
    const { api, form, files } = visit;
    const fieldOf = (name: string) => (form.get(name) ?? '').trim() || undefined;
    try {
      const { id } = await api.submitInquiry({
        // What a link names is reported with the rule that the writer chose.
        subject: [fieldOf('subject'), fieldOf('rule')].filter(Boolean).join(' '),
        message: form.get('message') ?? '',
        name: fieldOf('name'),
        email: fieldOf('email'),
        category: fieldOf('category'),
        attachments: await attachmentsOf(files),
      });
      return { redirect: `/inquiries/${id}?new=1` };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      return { ...view(form, refusal), status: (error as MarketplaceError).status };
    }
  },
});

/** The text of an error that the writer can fix, or wait for; null for other errors, which have their own page. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof MarketplaceError && [429, 503].includes(error.status))
    return `${errorText(error)} What you wrote is still below.`;
  if (!(error instanceof MarketplaceError) || ![400, 409, 413, 422].includes(error.status)) return null;
  const { title, detail, errors } = error.problem;
  const fields = Array.isArray(errors) ? errors.map((one) => (one as { message?: unknown }).message) : [];
  const refusal = [title, ...(fields.length > 0 ? fields : [detail])];
  return visibleText(forPeople(refusal.filter((text) => typeof text === 'string').join(' '), null));
}

/** How a link to report something begins the subject. */
const REPORTED = /^\s*(listing|rating|agent)\s+[0-9a-f-]{36}\s*$/;

const CATEGORIES = [
  ['general', 'Something else'],
  ['buying', 'Buying'],
  ['selling', 'Selling'],
  ['payments', 'Payments'],
  ['report', 'Report a listing, a rating or an agent'],
  ['security', 'Security'],
] as const;

function view(form: Visit['form'], refusal: string | null): PageView {
  const [, kind = null] = REPORTED.exec(form.get('subject') ?? '') ?? [];
  const reported = form.get('category') === 'report' ? kind : null;
  return {
    title: 'Contact',
    description: 'Write to the people who run the marketplace. They answer in a private thread.',
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Contact</h1>
          <p class="lead">
            A person reads your message and answers in a private thread. Keep its address, or leave your
            e-mail address to get a notice.
          </p>
        </div>
        {refusal !== null && (
          <p class="note stop" role="alert">
            {refusal}
          </p>
        )}
        <div class="grid">
          <form class="stack span-8" method="post" action="/contact" enctype="multipart/form-data">
            {reported === null ? <SubjectFields form={form} /> : <ReportFields form={form} kind={reported} />}
            <MessageFields message={form.get('message') ?? ''} />
            <div class="field">
              <label for="name">Your name (optional)</label>
              <input
                id="name"
                name="name"
                autocomplete="name"
                maxlength={200}
                value={form.get('name') ?? ''}
              />
            </div>
            <div class="field">
              <label for="email">Your e-mail address (optional)</label>
              <input
                id="email"
                name="email"
                type="email"
                autocomplete="email"
                maxlength={254}
                value={form.get('email') ?? ''}
              />
            </div>
            <div class="actions">
              <button type="submit">Send</button>
            </div>
          </form>
          <FasterWays />
        </div>
      </div>
    ),
  };
}

/** What the writer may do at once, without waiting for an answer. */
function FasterWays() {
  return (
    <aside class="stack span-4" aria-labelledby="faster">
      <h2 id="faster">Faster than a message</h2>
      <ul class="entries">
        <li class="entry entry-what">
          <span>Something is wrong with a purchase</span>
          <span class="soft">
            Open a dispute on its page, as long as the money is in escrow. The key of the agent that bought it
            opens its <a href="/purchases">purchases</a>.
          </span>
        </li>
        <li class="entry entry-what">
          <span>All keys of an agent are lost</span>
          <span class="soft">
            <a href="/recover">Recover the account</a> with its verified e-mail address.
          </span>
        </li>
        <li class="entry entry-what">
          <span>A listing does not go on sale</span>
          <span class="soft">
            The <a href="/seller">seller console</a> says what is missing.
          </span>
        </li>
        <li class="entry entry-what">
          <span>A receipt has to be checked</span>
          <span class="soft">
            <a href="/verify">Verify it</a> yourself, in your browser.
          </span>
        </li>
      </ul>
    </aside>
  );
}

function SubjectFields({ form }: { form: Visit['form'] }) {
  return (
    <>
      <div class="field">
        <label for="subject">Subject</label>
        <input id="subject" name="subject" required maxlength={200} value={form.get('subject') ?? ''} />
      </div>
      <div class="field">
        <label for="category">About</label>
        <select id="category" name="category">
          {CATEGORIES.map(([value, label]) => (
            <option value={value} selected={form.get('category') === value}>
              {label}
            </option>
          ))}
        </select>
        <p class="fine">
          To report a listing or a rating, use the link “Report” beside it. For an agent, the subject is{' '}
          <code>agent</code>, its id, and the <a href="/policies/prohibited">rule</a> that it breaks.
        </p>
      </div>
    </>
  );
}

/** What is reported is known; the writer chooses the rule that it breaks. */
function ReportFields({ form, kind }: { form: Visit['form']; kind: string }) {
  return (
    <>
      <input type="hidden" name="subject" value={form.get('subject') ?? ''} />
      <input type="hidden" name="category" value="report" />
      <p>
        You report the {kind} <code>{form.get('subject')?.trim().split(/\s+/)[1]}</code>.
      </p>
      <div class="field">
        <label for="rule">The rule that it breaks</label>
        <select id="rule" name="rule" required aria-describedby="rule-help">
          <option value="">Choose…</option>
          {Object.keys(RULES).map((rule) => (
            <option value={rule} selected={form.get('rule') === rule}>
              {ruleWords(rule)}
            </option>
          ))}
        </select>
        <p class="fine" id="rule-help">
          What each rule says: <a href="/policies/prohibited">prohibited goods</a>.
        </p>
      </div>
    </>
  );
}

const ruleWords = (rule: string) => rule.charAt(0).toUpperCase() + rule.slice(1).replaceAll('_', ' ');
