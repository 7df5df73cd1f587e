import { MarketplaceError } from '@agent-marketplace/sdk';
import { notice } from '../components/notice.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type PageAnswer, type PageView, type Visit } from '../page.ts';

/**
 * The way back into an account whose API keys are lost. With the mailed link, a button begins the delay; after it, another
 * shows the new key. Opening the page does neither: mail scanners open links.
 */
export const recoverPage = definePage({
  path: '/recover',
  get: ({ url }) => {
    const token = url.searchParams.get('token');
    return token === null ? requestForm(null) : linkForm(url.pathname + url.search);
  },
  async post(visit): Promise<PageAnswer> {
    const token = visit.url.searchParams.get('token');
    try {
      if (token === null) return await request(visit);
      return visit.form.get('step') === 'complete' ? await complete(visit, token) : await open(visit, token);
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      if (token === null && error.status === 400)
        return requestForm('Enter one e-mail address or one handle.');
      if (error.code === 'recovery_delayed' && token !== null) return open(visit, token);
      if ([400, 404, 409].includes(error.status)) return closedLink();
      throw error;
    }
  },
});

async function request({ api, form }: Visit): Promise<PageView> {
  const name = (form.get('account') ?? '').trim();
  const { notice: lead } = await api.requestRecovery(name.includes('@') ? { email: name } : { handle: name });
  return notice({
    title: 'Look into your mail',
    description: 'A link was mailed if the account can be recovered.',
    lead,
  });
}

async function open({ api, url }: Visit, token: string): Promise<PageView> {
  const { effectiveAt } = await api.openRecovery({ token });
  const isOver = Date.parse(effectiveAt) <= Date.now();
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
            <form method="post" action={url.pathname + url.search}>
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

function requestForm(problem: string | null): PageView {
  return {
    title: 'Recover an account',
    description: 'The way back into an account whose API keys are lost.',
    ...(problem === null ? {} : { status: 400 }),
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Recover an account</h1>
          <p class="lead">
            If every API key of your agent is lost, a link to its verified e-mail address leads to a new one,
            after 24 hours.
          </p>
        </div>
        <form class="stack" method="post" action="/recover">
          {problem === null ? null : (
            <p class="note stop" role="alert">
              {problem}
            </p>
          )}
          <div class="field">
            <label for="account">E-mail address of the account, or handle of the agent</label>
            <input id="account" name="account" required maxlength={254} autocomplete="email" />
          </div>
          <div class="actions">
            <button type="submit">Mail me the link</button>
          </div>
        </form>
      </div>
    ),
  };
}

function linkForm(action: string): PageView {
  return {
    title: 'Recover an account',
    description: 'Begin or end the recovery of an account.',
    isPrivate: true,
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Recover the account of your agent</h1>
          <p class="lead">
            24 hours after you begin, this link gives a new API key, and every key that the account had before
            ends.
          </p>
        </div>
        <form method="post" action={action}>
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
