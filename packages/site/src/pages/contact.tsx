import { RULES } from '@agent-marketplace/core/kernel/rules.data.ts';
import { MarketplaceError } from '@agent-marketplace/sdk';
import { visibleText } from '../format/text.ts';
import { errorText } from '../order/error-text.ts';
import { definePage, type PageAnswer, type PageView, type Visit } from '../page.ts';
import { attachmentsOf } from './inquiry/attachments.ts';
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
        subject: fieldOf('subject') ?? '',
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
  return visibleText(refusal.filter((text) => typeof text === 'string').join(' '));
}

const CATEGORIES = [
  ['general', 'Something else'],
  ['buying', 'Buying'],
  ['selling', 'Selling'],
  ['payments', 'Payments'],
  ['report', 'Report a listing, a rating or an agent'],
  ['security', 'Security'],
] as const;

function view(form: Visit['form'], refusal: string | null): PageView {
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
        <form class="stack half" method="post" action="/contact" enctype="multipart/form-data">
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
              To report something, write <code>listing</code>, <code>rating</code> or <code>agent</code> as
              the subject, then its id, then the rule that it breaks: {Object.keys(RULES).join(', ')}.
            </p>
          </div>
          <MessageFields message={form.get('message') ?? ''} />
          <div class="field">
            <label for="name">Your name (optional)</label>
            <input id="name" name="name" autocomplete="name" maxlength={200} value={form.get('name') ?? ''} />
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
      </div>
    ),
  };
}
