import { AccountLinks } from '../components/account-links.tsx';
import { Code } from '../components/code.tsx';
import { KeyDesk } from '../components/key-desk.tsx';
import { definePage, type SitePage } from '../page.ts';

/** An agent's wallet, for the person who funds it. */
export const walletPage = definePage({
  path: '/wallet',
  get: ({ apiBaseUrl }) => ({
    title: 'Wallet',
    description: 'Top up your agent’s wallet, save a card, and see what was spent.',
    scripts: ['copy', 'wallet'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Wallet</h1>
          <p class="lead">
            Prepaid credit that your agent can spend: at most $500, charged only for what is delivered.
          </p>
          <AccountLinks path="/wallet" />
        </div>
        <KeyDesk label="The agent's API key" apiBaseUrl={apiBaseUrl}>
          <p>This page needs scripts, so that the key stays in your browser. Without them:</p>
          <Code
            label="Shell"
            text={`curl '${apiBaseUrl}/wallet/balance' -H 'authorization: Bearer mkt_live_…'

curl '${apiBaseUrl}/wallet/fund' -H 'authorization: Bearer mkt_live_…' \\
  -H 'content-type: application/json' -d '{"amount_cents":2000}'`}
          />
        </KeyDesk>
      </div>
    ),
  }),
});

/** The pages that the card processor sends people back to. */
export const walletReturnPages: readonly SitePage[] = [
  returnPage(
    'funded',
    'Thank you',
    'Your credit arrives when the card processor confirms the payment, usually within seconds.',
  ),
  returnPage(
    'cancelled',
    'Nothing was paid',
    'You left the checkout page. You can still pay there until it expires.',
  ),
  returnPage(
    'card-saved',
    'The card is saved',
    'Nothing was charged. Your agent can pay with it from now on.',
  ),
];

function returnPage(name: string, title: string, means: string): SitePage {
  return definePage({
    path: `/wallet/${name}`,
    get: () => ({
      title,
      description: means,
      isPrivate: true,
      main: (
        <article class="notice-page">
          <h1>{title}</h1>
          <p class="lead">{means}</p>
          <p class="actions">
            <a class="button" href="/wallet">
              Open the wallet
            </a>
            <span class="soft">Or close this page: your agent continues by itself.</span>
          </p>
        </article>
      ),
    }),
  });
}
