import { instant } from '../../format/figures.ts';
import { WALLET_ADVICE } from '../../order/wallet-advice.ts';
import { element, section } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import { addressIn, findWallets, signText, WalletRefusal } from '../parts/order/browser-wallet.ts';
import { sayDone } from '../parts/say-done.ts';
import type { Session } from '../parts/session.ts';
import type { Dashboard } from './dashboard.ts';

/** Has a wallet of the browser prove that it is the seller's: one signature of a text, which moves nothing and costs no gas. */
export async function bindWallet(session: Session, { payouts }: Dashboard): Promise<HTMLElement> {
  const wallets = await findWallets();
  const isChange = payouts.wallet !== null || payouts.account !== null;
  const fields =
    wallets.length > 1
      ? [
          {
            name: 'wallet',
            label: 'Wallet',
            type: 'select',
            options: wallets.map(({ id, name }) => [id, name] as const),
          },
        ]
      : [];
  const form = actionForm('Sign with my wallet', fields, async ({ wallet: chosen }) => {
    try {
      const wallet = chosen === undefined ? wallets[0] : wallets.find(({ id }) => id === chosen);
      if (wallet === undefined) throw new WalletRefusal('no_wallet');
      const address = await addressIn(wallet);
      const { message, nonce } = await session.api.challengePayoutWallet({ address });
      const signature = await signText(wallet, address, message);
      const { effectiveAt, changeId } = await session.api.bindPayoutWallet({ nonce, signature });
      return sayDone(
        session,
        changeId === null
          ? 'You are paid to this wallet from now on.'
          : `What falls due from ${instant(effectiveAt)} on goes to this wallet.`,
      );
    } catch (error) {
      if (!(error instanceof WalletRefusal)) throw error;
      const { what } = WALLET_ADVICE[error.reason];
      return element('span', { class: 'bad' }, `${what} Nothing was signed or changed.`);
    }
  });
  return section(
    'Be paid in USDC',
    element(
      'p',
      {},
      'Your share can go to a wallet of yours in USDC on Base. The wallet signs a text that says it is yours; that moves nothing and costs no gas.',
      isChange && ' A change is in effect after a while, and can be cancelled until then.',
    ),
    wallets.length === 0
      ? element(
          'p',
          { class: 'soft' },
          'This browser has no wallet: install one and reload the page, or open it in the browser of your wallet.',
        )
      : form,
  );
}
