import type { Child } from 'hono/jsx';
import { ListingForm } from './listing-form.tsx';
import { sellerPage } from './seller-page.tsx';

export const newListingPage = sellerPage({
  path: '/seller/listings/new',
  under: '/seller/listings',
  title: 'New listing',
  description: 'List an API or data of your own: what it is, what it costs, and where its answers come from.',
  lead: 'Say what you sell, what it costs and where the answers come from. It costs nothing to list.',
  script: 'seller-listing',
  view: 'new',
  request: '/sell/me',
  around: (content, { isDevelopment }) => (
    <Editor content={content} listingId={null} button="Put it on sale" isDevelopment={isDevelopment} />
  ),
});

export const changeListingPage = sellerPage({
  path: '/seller/listings/{id}',
  under: '/seller/listings',
  title: 'Change a listing',
  description: 'Change a listing of yours, or take it off the market.',
  lead: 'Every change is signed and shown in the history of the listing. What was sold stays sold.',
  script: 'seller-listing',
  view: 'change',
  request: '/sell/me',
  isPrivate: true,
  around: (content, { params, isDevelopment }) => (
    <Editor
      content={content}
      listingId={params.id ?? ''}
      button="Save the changes"
      isDevelopment={isDevelopment}
    />
  ),
});

interface EditorProps {
  readonly content: Child;
  readonly listingId: string | null;
  readonly button: string;
  readonly isDevelopment: boolean;
}

/** The form with its preview beside, then the key, then the button: what is typed needs no key. */
function Editor({ content, listingId, button, isDevelopment }: EditorProps) {
  return (
    <div class="editor">
      <div class="sections">
        {listingId === null ? null : content}
        <ListingForm listingId={listingId} isDevelopment={isDevelopment} />
        {listingId === null ? (
          <section id="who-sells" class="stack">
            <h2>5. Who sells</h2>
            {content}
          </section>
        ) : null}
        <section id="outcome" class="stack" aria-label="What became of it" tabindex={-1} />
        <p class="actions" data-script hidden>
          <button type="submit" form="listing-form">
            {button}
          </button>
          <span id="draft-kept" class="fine">
            What you type is kept in this tab.
          </span>
        </p>
      </div>
      <aside class="preview stack" aria-label="Preview" data-script hidden>
        <p class="overline">As buyers will see it</p>
        <div id="preview" class="sheet stack" />
      </aside>
    </div>
  );
}
