import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { codeOf, LINK_CODE_SCRIPT, LinkCode } from '../components/link-code.tsx';
import { notice } from '../components/notice.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type PageAnswer, type PageView, type Visit } from '../page.ts';

type Change = Operations['getPayoutChange']['output'];

/** Where the mail about a change of payouts leads. Opening it changes nothing: mail scanners open links. */
export const payoutChangePage = definePage({
  path: '/payout-changes/{id}',
  get: (visit) => view(visit),
  async post(visit): Promise<PageAnswer> {
    try {
      await visit.api.cancelPayoutChange({ changeId: idOf(visit), token: codeOf(visit) });
      return { redirect: visit.url.pathname };
    } catch (error) {
      if (!(error instanceof MarketplaceError) || ![400, 404, 409].includes(error.status)) throw error;
      // 409: it took effect meanwhile.
      return error.status === 409 ? view(visit) : closedLink();
    }
  },
});

const idOf = ({ params }: Visit): string => params.id ?? '';

async function view(visit: Visit): Promise<PageView> {
  const change = await visit.api.getPayoutChange({ changeId: idOf(visit) }).catch((error: unknown) => {
    // 400: no id.
    if (error instanceof MarketplaceError && [400, 404].includes(error.status)) return null;
    throw error;
  });
  if (change === null) return closedLink();
  switch (change.state) {
    case 'pending':
      return pendingChange(change, visit.url.pathname);
    case 'cancelled':
      return cancelledChange();
    case 'effective':
      return endedLink(change);
  }
}

function pendingChange(change: Change, action: string): PageView {
  const { effectiveAt, requestedAt, requestedBy } = change;
  return {
    title: 'A change of your payouts',
    description: 'What changes, and how to cancel it.',
    isPrivate: true,
    scripts: [LINK_CODE_SCRIPT],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>A change of where you are paid</h1>
          <p class="lead">
            It was asked for <Instant iso={requestedAt} />, with{' '}
            {requestedBy === 'key' ? 'the API key of your seller' : 'a claim link of your seller'}.
          </p>
        </div>
        <section class="stack" aria-labelledby="change">
          <h2 id="change">What changes</h2>
          <p>
            What falls due from <Instant iso={effectiveAt} /> on goes to <NewDestination change={change} />.
          </p>
          <p>If it was you who asked for that, there is nothing to do: close this page.</p>
        </section>
        <section class="stack" aria-labelledby="cancel">
          <h2 id="cancel">If it was not you</h2>
          <p>
            Cancel the change. You are paid as before, and nothing can be changed for 7 days: whoever asked
            for this may have the key, and would ask again.
          </p>
          <form class="stack half" method="post" action={action}>
            <LinkCode />
            <div class="actions">
              <button type="submit">Cancel this change</button>
            </div>
          </form>
        </section>
        <p class="fine">
          This link works until <Instant iso={effectiveAt} />. Anyone who has it can cancel the change: keep
          it private.
        </p>
      </div>
    ),
  };
}

function NewDestination({ change: { address } }: { change: Change }) {
  if (address === null) return <>an account at the card processor</>;
  return (
    <>
      the wallet <code class="wraps">{address}</code>
    </>
  );
}

function cancelledChange(): PageView {
  return notice({
    title: 'The change is cancelled',
    description: 'You are paid as before.',
    lead: 'You are paid as before, and nothing can be changed for 7 days.',
    next: (
      <p>
        Somebody may have got hold of your agent’s API key, or of a claim link. The{' '}
        <a href="/seller">seller console</a> shows what else was done with it;{' '}
        <a href="/contact">write to us</a> if you cannot tell.
      </p>
    ),
  });
}

function endedLink({ effectiveAt }: Change): PageView {
  return notice({
    title: 'This link has expired',
    description: 'A change of payouts can be cancelled until it takes effect.',
    status: 404,
    lead: (
      <>
        The change took effect at <Instant iso={effectiveAt} />. It cannot be cancelled any more.
      </>
    ),
    next: (
      <p>
        What fell due before then is paid as before. If you did not ask for the change, ask for another one in
        the <a href="/seller">seller console</a>, and <a href="/contact">write to us</a>.
      </p>
    ),
  });
}

function closedLink(): PageView {
  return notice({
    title: 'This link opens no change',
    description: 'A change of payouts opens only with the full link of its mail.',
    status: 404,
    lead: 'It may be incomplete. Nothing was changed.',
    next: (
      <p>
        Open the full link of the mail. With your agent’s API key, the <a href="/seller">seller console</a>{' '}
        shows changes that can be cancelled.
      </p>
    ),
  });
}
