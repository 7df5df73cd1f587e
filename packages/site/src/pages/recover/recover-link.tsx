import { MarketplaceError } from '@agent-marketplace/sdk';
import { codeOf, LINK_CODE_SCRIPT, LinkCode } from '../../components/link-code.tsx';
import { notice } from '../../components/notice.tsx';
import { Instant } from '../../components/time.tsx';
import { definePage, type PageAnswer, type PageView, type Visit } from '../../page.ts';

/**
 * Where the mail about a recovery leads. A button begins the delay; after it, another shows the new key. Opening the page
 * does neither: mail scanners open links.
 */
export const recoverLinkPage = definePage({
  path: '/recover/link',
  get: linkForm,
  async post(visit): Promise<PageAnswer> {
    const token = codeOf(visit);
    try {
      return visit.form.get('step') === 'complete' ? await complete(visit, token) : await open(visit, token);
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      if (error.code === 'recovery_delayed') return open(visit, token);
      if ([400, 404, 409].includes(error.status)) return closedLink();
      throw error;
    }
  },
});

function linkForm(): PageView {
  return {
    title: 'Recover an account',
    description: 'Begin or end the recovery of an account.',
    isPrivate: true,
    scripts: [LINK_CODE_SCRIPT],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Recover the account of your agent</h1>
          <p class="lead">
            24 hours after you begin, this link gives a new API key, and every key that the account had before
            ends.
          </p>
        </div>
        <form class="stack half" method="post" action="/recover/link">
          <LinkCode />
          <div class="actions">
            <button type="submit">Begin, or see how it stands</button>
          </div>
        </form>
        <p class="fine">
          The account’s channels are told, and any key of it can cancel. Anyone who has this link can do this:
          keep it private.
        </p>
      </div>
    ),
  };
}

async function open({ api }: Visit, token: string): Promise<PageView> {
  const { effectiveAt, provenance } = await api.openRecovery({ token });
  // By the clock that gives the key.
  const isOver = effectiveAt <= provenance.receipt.signedAt;
  return {
    title: 'Recovery',
    description: 'When the new API key is given.',
    isPrivate: true,
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>{isOver ? 'The delay is over' : 'The recovery has begun'}</h1>
          <p class="lead" role="status">
            The new key is given from <Instant iso={effectiveAt} /> on, for 7 days.
          </p>
        </div>
        {isOver ? (
          <section class="stack" aria-labelledby="key">
            <h2 id="key">The new key</h2>
            <p>It is shown once. Every key that the account had before ends.</p>
            <form method="post" action="/recover/link">
              <LinkCode code={token} />
              <input type="hidden" name="step" value="complete" />
              <div class="actions">
                <button type="submit">Show the new key</button>
              </div>
            </form>
          </section>
        ) : (
          <p>Keep the mail, and open its link again then. Any key of the account can cancel until then.</p>
        )}
      </div>
    ),
  };
}

async function complete({ api }: Visit, token: string): Promise<PageView> {
  const { apiKey } = await api.completeRecovery({ token });
  return notice({
    title: 'Your new API key',
    description: 'It is shown once.',
    lead: <code class="wraps">{apiKey}</code>,
    children: (
      <p>
        It is shown only here and now: keep it before you close the page. It may do everything. Every key that
        the account had before has ended; <a href="/keys">make others</a> for your programs.
      </p>
    ),
  });
}

function closedLink(): PageView {
  return notice({
    title: 'This link recovers nothing',
    description: 'The recovery was cancelled, has ended, or the link is incomplete.',
    status: 404,
    lead: 'The recovery was cancelled or has ended, or the link has expired or is incomplete.',
    next: (
      <p>
        <a href="/recover">Ask for another link.</a>
      </p>
    ),
  });
}
