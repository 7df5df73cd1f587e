import { MarketplaceError } from '@agent-marketplace/sdk';
import { visibleText } from '../format/text.ts';
import { definePage, type PageAnswer, type PageView, type Visit } from '../page.ts';
import { attachmentsOf } from './inquiry/attachments.ts';
import { MessageFields } from './inquiry/fields.tsx';

/** Opens an inquiry. What comes of it is a thread of its own, at an address that only the writer has. */
export const contactPage = definePage({
  path: '/contact',
  get: ({ form }) => view(form, null),
  async post(visit): Promise<PageAnswer> {
    const { api, form, files } = visit;
    const given = (name: string) => (form.get(name) ?? '').trim() || undefined;
    try {
      const { id } = await api.submitInquiry({
        subject: given('subject') ?? '',
        message: form.get('message') ?? '',
        name: given('name'),
        email: given('email'),
        category: given('category'),
        attachments: await attachmentsOf(files),
      });
      return { redirect: `/inquiries/${id}?new=1` };
    } catch (error) {
      const said = refusalOf(error);
      if (said === null) throw error;
      return { ...view(form, said), status: (error as MarketplaceError).status };
    }
  },
});

/** What the writer can mend; anything else is a page of its own. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof MarketplaceError) || ![400, 409, 413, 422].includes(error.status)) return null;
  const { title, detail, errors } = error.problem;
  const fields = Array.isArray(errors) ? errors.map((one) => (one as { message?: unknown }).message) : [];
  const said = [title, ...(fields.length > 0 ? fields : [detail])];
  return visibleText(said.filter((text) => typeof text === 'string').join(' '));
}

const CATEGORIES = [
  ['general', 'Something else'],
  ['buying', 'Buying'],
  ['selling', 'Selling'],
  ['payments', 'Payments'],
  ['report', 'Report a listing'],
  ['security', 'Security'],
] as const;

function view(form: Visit['form'], refusal: string | null): PageView {
  return {
    title: 'Contact',
    description:
      'Write to the people behind the marketplace. The answer comes in a thread that only you have.',
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Contact</h1>
          <p class="lead">
            A person reads it and answers in a thread. Its address is yours alone: keep it, or leave an e-mail
            address and be told.
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
