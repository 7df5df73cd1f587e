import { agentPage } from '../components/agent-page.tsx';
import { notice } from '../components/notice.tsx';
import { definePage, type SitePage } from '../page.ts';

/** An agent's wallet, for the person who funds it. */
export const walletPage = agentPage({
  path: '/wallet',
  title: 'Wallet',
  description: 'Top up your agent’s wallet, save a card, and see what was spent.',
  script: 'wallet',
  lead: 'Prepaid credit that your agent can spend: at most $500, charged only for what is delivered.',
  requests: [{ path: '/wallet/balance' }, { path: '/wallet/fund', body: { amount_cents: 2000 } }],
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
    get: () =>
      notice({
        title,
        description: means,
        lead: means,
        children: (
          <p class="actions">
            <a class="button" href="/wallet">
              Open the wallet
            </a>
            <a class="button quiet" href="/approvals">
              See what waits for you
            </a>
            <span class="soft">Or close this page: your agent continues by itself.</span>
          </p>
        ),
      }),
  });
}
