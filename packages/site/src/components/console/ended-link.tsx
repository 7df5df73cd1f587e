import type { Visit } from '../../page.ts';

/** Where the card processor leads from a link that was used before, or is too old. */
export function EndedLink({ url }: { url: Visit['url'] }) {
  return url.searchParams.get('link') === 'ended' ? (
    <p class="note attention" role="status">
      The link to the card processor has ended: each works once, for a few minutes. What you entered there
      before stays, and nothing of how you are paid was changed. Make a new one below.
    </p>
  ) : null;
}
