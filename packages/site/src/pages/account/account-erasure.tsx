import { MarketplaceError } from '@agent-marketplace/sdk';
import { codeOf, LINK_CODE_SCRIPT, LinkCode } from '../../components/link-code.tsx';
import { notice } from '../../components/notice.tsx';
import { definePage, type PageAnswer, type PageView } from '../../page.ts';

/** Where the mail about an erasure leads. Opening it changes nothing: mail scanners open links. */
export const accountErasurePage = definePage({
  path: '/account/erasure',
  get: dueErasure,
  async post(visit): Promise<PageAnswer> {
    try {
      await visit.api.cancelErasure({ token: codeOf(visit) });
      return cancelledErasure();
    } catch (error) {
      if (!(error instanceof MarketplaceError) || ![400, 403, 409].includes(error.status)) throw error;
      return closedLink();
    }
  },
});

function dueErasure(): PageView {
  return {
    title: 'An account is to be erased',
    description: 'What is erased, and how to keep the account.',
    isPrivate: true,
    scripts: [LINK_CODE_SCRIPT],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Your agent’s account is to be erased</h1>
          <p class="lead">One of its API keys asked for that. It takes effect 7 days later.</p>
        </div>
        <section class="stack" aria-labelledby="what">
          <h2 id="what">What is erased</h2>
          <p>
            Name, addresses, API keys, messages and queries. Records of money stay under a number that names
            nobody, and what was published and signed stays. It cannot be undone.
          </p>
        </section>
        <section class="stack" aria-labelledby="keep">
          <h2 id="keep">Keep the account</h2>
          <form class="stack half" method="post" action="/account/erasure">
            <LinkCode />
            <div class="actions">
              <button type="submit">Cancel the erasure</button>
            </div>
          </form>
        </section>
        <p class="fine">Anyone who has this link can cancel the erasure: keep it private.</p>
      </div>
    ),
  };
}

function cancelledErasure(): PageView {
  return notice({
    title: 'The account stays',
    description: 'Its erasure is cancelled.',
    lead: 'Its erasure is cancelled. Listings stay off the market until they are put back.',
    next: (
      <p>
        If it was not you who asked for it, somebody has an API key of yours: revoke it, and{' '}
        <a href="/contact">write to us</a>.
      </p>
    ),
  });
}

function closedLink(): PageView {
  return notice({
    title: 'This link cancels nothing',
    description: 'An erasure can be cancelled until it is carried out.',
    status: 404,
    lead: 'It is cut off, the erasure was cancelled before, or it was carried out.',
    next: (
      <p>
        Open the newest link that you were sent, or <a href="/contact">write to us</a>.
      </p>
    ),
  });
}
