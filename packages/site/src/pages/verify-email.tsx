import { MarketplaceError } from '@agent-marketplace/sdk';
import { codeOf, LINK_CODE_SCRIPT, LinkCode } from '../components/link-code.tsx';
import { notice } from '../components/notice.tsx';
import { definePage, type PageAnswer, type PageView } from '../page.ts';

/** Where the mail about an e-mail address leads. Opening it changes nothing: mail scanners open links. */
export const verifyEmailPage = definePage({
  path: '/verify-email',
  get: question,
  async post({ api, form }): Promise<PageAnswer> {
    try {
      const { isChange } = await api.verifyEmail({ token: codeOf({ form }) });
      return confirmed(isChange);
    } catch (error) {
      if (error instanceof MarketplaceError && [400, 404].includes(error.status)) return closedLink();
      throw error;
    }
  },
});

function question(): PageView {
  return {
    title: 'Confirm your e-mail address',
    description: 'Say that an agent’s e-mail address is yours.',
    isPrivate: true,
    scripts: [LINK_CODE_SCRIPT],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Confirm your e-mail address</h1>
          <p class="lead">An agent gave the address to which this link was mailed as its own.</p>
        </div>
        <section class="stack" aria-labelledby="confirm">
          <h2 id="confirm">If it is your agent</h2>
          <p>
            Receipts and notices go to the address, and it can recover the account if its API keys are lost.
          </p>
          <form class="stack half" method="post" action="/verify-email">
            <LinkCode />
            <div class="actions">
              <button type="submit">Confirm this address</button>
            </div>
          </form>
        </section>
        <p class="fine">If it is not, close this page: nothing happens without you.</p>
      </div>
    ),
  };
}

function confirmed(isChange: boolean): PageView {
  return notice({
    title: 'The address is confirmed',
    description: 'The address belongs to the agent’s account.',
    lead: isChange
      ? 'It takes the place of the one before, which is told. It can recover the account in 7 days.'
      : 'It can recover the account if its API keys are lost.',
  });
}

function closedLink(): PageView {
  return notice({
    title: 'This link confirms nothing',
    description: 'The link was used, has expired, or is incomplete.',
    status: 404,
    lead: 'It was used, has expired, or is incomplete.',
    next: <p>Let your agent send the address again: it is mailed another link.</p>,
  });
}
