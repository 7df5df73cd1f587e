import type { Operations } from '@agent-marketplace/sdk';
import { instant, money } from '../../format/figures.ts';
import { platformLink } from '../../format/text.ts';
import { copyable } from './copyable.ts';
import type { Desk } from './desk.ts';
import { element, facts, section, table, timeOf, titleOf } from './dom.ts';
import { actionForm } from './forms.ts';

type Dashboard = Operations['getSellerDashboard']['output'];
type Payouts = Dashboard['payouts'];

const CHAINS: Readonly<Record<number, string>> = { 8453: 'Base', 84532: 'Base Sepolia' };

/** Where the money goes, what is missing for it, and what has reached the seller. */
export function payoutsPart(desk: Desk, shop: Dashboard): HTMLElement {
  const { payouts, releasedPayouts, listings } = shop;
  const { account, wallet, connected } = payouts;
  const rows = releasedPayouts.map((one) => [
    timeOf(one.releasedAt),
    titleOf(listings.find(({ id }) => id === one.listingId)?.title ?? null),
    money(one.amountCents),
  ]);
  return section(
    'Payouts',
    element('p', {}, wayText(payouts)),
    facts([
      ...(wallet === null
        ? []
        : [
            ['USDC wallet', copyable('the address', wallet.address, shortAddress(wallet.address))] as const,
            ['Bound', `${instant(wallet.boundAt)}, on ${chainName(wallet.chainId)}`] as const,
          ]),
      ...(account === null
        ? []
        : [['Card processor', accountText(account)] as const, ['Country', account.country] as const]),
    ]),
    !connected && onboarding(desk, shop),
    rows.length > 0 && element('h3', {}, 'Reached you'),
    rows.length > 0 && table('Payouts', ['When', 'For', '#Amount'], rows),
    shop.usdcPayouts.length > 0 && element('h3', {}, 'Transfers of USDC'),
    shop.usdcPayouts.length > 0 && transfers(shop.usdcPayouts),
  );
}

/** Each pays the sales that were due together. */
function transfers(payouts: Dashboard['usdcPayouts']): HTMLElement {
  const rows = payouts.map(({ createdAt, status, purchaseIds, transaction, amountCents }) => [
    timeOf(createdAt),
    TRANSFERS[status],
    String(purchaseIds.length),
    transaction && copyable('the transaction', transaction, shortAddress(transaction)),
    money(amountCents),
  ]);
  return table('Transfers of USDC', ['Begun', 'State', 'Sales', 'Transaction', '#Amount'], rows);
}

const TRANSFERS = {
  sending: 'On its way',
  paid: 'Paid',
  refused: 'Not possible then; its sales go with a later one',
} as const;

function wayText({ paidTo, connected, wallet, account }: Payouts): string {
  const dueThen = 'once its time in escrow is over.';
  if (paidTo === 'wallet') return `Your share of each sale goes to your wallet, in USDC, ${dueThen}`;
  const isWalletIdle = wallet === null ? '' : ' The wallet is of another chain than the marketplace pays on.';
  if (paidTo === 'account')
    return `Your share of each sale goes to your account at the card processor ${dueThen}${isWalletIdle}`;
  if (connected) return `Nothing can be paid out just now; what is due waits for it.${isWalletIdle}`;
  return account === null
    ? 'Not connected: priced listings wait for it. Free ones do not need it.'
    : 'Not connected yet: the card processor still waits for details. Priced listings wait for it.';
}

function accountText({ payoutsEnabled, detailsSubmitted }: NonNullable<Payouts['account']>): string {
  if (payoutsEnabled) return 'Ready to be paid';
  return detailsSubmitted ? 'Details are being checked' : 'Details are still missing';
}

function onboarding({ api }: Desk, { profile }: Dashboard): HTMLElement {
  return actionForm('Connect payouts', [], async () => {
    const { onboardingUrl } = await api.registerSeller({ name: profile.displayName ?? profile.handle });
    const href = platformLink(onboardingUrl);
    if (href === null) return 'The card processor cannot be reached now. Try again later.';
    return element('a', { class: 'button', href, rel: 'noreferrer' }, 'Go on to the card processor');
  });
}

const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
const chainName = (chainId: number) => CHAINS[chainId] ?? `chain ${chainId}`;
