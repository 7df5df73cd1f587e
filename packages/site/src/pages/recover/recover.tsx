import { MarketplaceError } from '@agent-marketplace/sdk';
import { notice } from '../../components/notice.tsx';
import { definePage, type PageAnswer, type PageView, type Visit } from '../../page.ts';

/** Asks for the link that leads back into an account whose API keys are lost. */
export const recoverPage = definePage({
  path: '/recover',
  get: () => requestForm(null),
  async post(visit): Promise<PageAnswer> {
    try {
      return await request(visit);
    } catch (error) {
      if (error instanceof MarketplaceError && error.status === 400)
        return requestForm('Enter one e-mail address or one handle.');
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
