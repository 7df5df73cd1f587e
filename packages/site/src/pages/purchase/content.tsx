import { Code, JsonFigure } from '../../components/code.tsx';
import type { Purchase } from './states.ts';

/** What the seller delivered, or why there is nothing to show. Checked by the script, where there is one. */
export function Content({ purchase }: { purchase: Purchase }) {
  const { content, contentStatus, contentMatchesReceipt } = purchase;
  if (contentStatus !== 'delivered') return <p class="note stop">{absence(contentStatus)}</p>;
  return (
    <section class="stack" aria-labelledby="content" id="delivered" data-file={`${purchase.id}.json`}>
      <h2 id="content">What the seller delivered</h2>
      {contentMatchesReceipt === false && (
        <p class="note stop">
          The seller sends something else now than what you bought. The receipt is still of the first
          delivery.
        </p>
      )}
      <p id="checked" class="note" role="status">
        Asked of the seller just now, and kept by nobody but you: save it.
      </p>
      <JsonFigure label="Content" value={content} />
    </section>
  );
}

function absence(status: Purchase['contentStatus']): string {
  switch (status) {
    case 'unavailable':
      return 'The seller says it does not have the content now. The purchase stays as it is: try later.';
    case 'timed_out':
      return 'The seller did not answer in time. The purchase stays as it is: try later.';
    case 'awaiting_payment':
      return 'It is not paid yet, so the seller was not asked.';
    case 'withheld':
      return 'The purchase ended without a sale. Nothing stays charged.';
    default:
      return 'The seller answered, but not with what it should. The purchase stays as it is: try later.';
  }
}

/** The receipt, to keep. The exact purchase stands in the data attribute, for the script that checks it. */
export function Receipt({ purchase, apiBaseUrl }: { purchase: Purchase; apiBaseUrl: string }) {
  if (purchase.receipt === null) return null;
  return (
    <section class="stack" aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      <p
        id="verdict"
        class="note"
        data-api={apiBaseUrl}
        data-purchase={JSON.stringify(purchase)}
        role="status"
      >
        Signed by the marketplace. It can be <a href="/verify">checked</a> by anyone, offline, years from now.
      </p>
      <details>
        <summary>The signed receipt</summary>
        <Code label="Receipt" text={JSON.stringify(purchase.receipt, null, 2)} />
      </details>
    </section>
  );
}
