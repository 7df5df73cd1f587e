import { Code } from '../components/code.tsx';
import { KeyDesk } from '../components/key-desk.tsx';
import { definePage, type SitePage } from '../page.ts';

/** An agent's prepaid credit, for the person who fills it. */
export const walletPage = definePage({
  path: '/wallet',
  get: ({ apiBaseUrl }) => ({
    title: 'Wallet',
    description: 'Top up what an agent may spend, save a card, and see where it went.',
    scripts: ['copy', 'wallet'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Wallet</h1>
          <p class="lead">
            What an agent may spend: prepaid, at most $500, charged only for what was delivered.
          </p>
        </div>
        <KeyDesk label="The agent's API key" apiBaseUrl={apiBaseUrl}>
          <p>This page needs scripts, so that the key stays with you. Without them:</p>
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

/** Where the card processor sends people back to. */
export const walletReturnPages: readonly SitePage[] = [
  returnPage(
    'funded',
    'Thank you',
    'The credits are in the wallet as soon as the card processor confirms the payment, which takes seconds.',
  ),
  returnPage(
    'cancelled',
    'Nothing was paid',
    'You left the checkout page. It can still be paid until it ends.',
  ),
  returnPage(
    'card-saved',
    'The card is saved',
    'Nothing was charged. The agent can pay with it from now on.',
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
              To the wallet
            </a>
            <span class="soft">Or close this page: the agent goes on by itself.</span>
          </p>
        </article>
      ),
    }),
  });
}
