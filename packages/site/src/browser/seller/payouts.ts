import type { Operations } from '@agent-marketplace/sdk';
import { countNoun, instant, money } from '../../format/figures.ts';
import { copyable } from '../parts/copyable.ts';
import { element, facts, section, table, timeOf, titleOf } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import { sayDone } from '../parts/say-done.ts';
import type { Session } from '../parts/session.ts';
import { bindWallet } from './bind-wallet.ts';
import { connectPayouts } from './connect-payouts.ts';
import { due } from './due.ts';

type Dashboard = Operations['getSellerDashboard']['output'];
type Payouts = Dashboard['payouts'];

const CHAINS: Readonly<Record<number, string>> = { 8453: 'Base', 84532: 'Base Sepolia' };

/** Where payouts go, what is missing, and what was paid. */
export async function payouts(session: Session): Promise<HTMLElement[]> {
  const [dashboard, { payoutsWaiting }] = await Promise.all([
    session.api.getSellerDashboard(),
    session.api.getEarnings({ limit: 1 }),
  ]);
  const next = due(dashboard);
  const isFrozen = dashboard.payouts.changes.length > 0 || dashboard.payouts.changesFrozenUntil !== null;
  const wallet = isFrozen ? [] : [await bindWallet(session, dashboard)];
  const parts = [sellerPayouts(session, dashboard), ...(next ? [next] : []), ...wallet];
  if (payoutsWaiting !== null) {
    const { amountCents, salesCount, until } = payoutsWaiting;
    const text = `${money(amountCents)} of ${countNoun(salesCount, 'sale')} wait for more, so that one transfer covers its gas. They go at the latest ${instant(until)}.`;
    parts.push(section('Waiting for more', element('p', {}, text)));
  }
  return parts;
}

function sellerPayouts(session: Session, dashboard: Dashboard): HTMLElement {
  const { payouts, releasedPayouts, listings } = dashboard;
  const { account, wallet, connected } = payouts;
  const rows = releasedPayouts.map((one) => [
    timeOf(one.releasedAt),
    titleOf(listings.find(({ id }) => id === one.listingId)?.title ?? null),
    money(one.amountCents),
  ]);
  return section(
    'Where you are paid',
    element('p', {}, wayText(payouts)),
    ...payouts.changes.map((change) => changeNotice(session, change)),
    payouts.changesFrozenUntil !== null &&
      element(
        'p',
        { class: 'note' },
        `A change was cancelled. Nothing can be changed until ${instant(payouts.changesFrozenUntil)}.`,
      ),
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
    payouts.bearsGas !== null && gasChoice(session, payouts.bearsGas),
    !connected && connectPayouts(session, dashboard),
    rows.length > 0 && element('h3', {}, 'Paid to you'),
    rows.length > 0 && table('Payouts', ['When', 'For', '#Amount'], rows),
    dashboard.usdcPayouts.length > 0 && element('h3', {}, 'USDC transfers'),
    dashboard.usdcPayouts.length > 0 && transfers(dashboard.usdcPayouts),
  );
}

/** Small payouts wait for more, or their seller bears their gas. */
function gasChoice(session: Session, bearsGas: boolean): HTMLElement {
  return element(
    'div',
    { class: 'stack' },
    element(
      'p',
      {},
      bearsGas
        ? 'Small payouts go at once, and you bear their gas.'
        : 'Payouts that do not cover their gas wait for your next sales, a week at most.',
    ),
    actionForm(bearsGas ? 'Have small payouts wait' : 'Pay at once and bear the gas', [], async () => {
      await session.api.setPayoutGas({ bearsGas: !bearsGas });
      return sayDone(session, bearsGas ? 'Small payouts wait now.' : 'Small payouts go at once now.');
    }),
  );
}

/** What somebody with the seller's key, or a claim link, asked for, and how to refuse it. */
function changeNotice(
  session: Session,
  { id, address, effectiveAt, requestedAt }: Payouts['changes'][number],
) {
  const to = address === null ? 'an account at the card processor' : 'another wallet';
  return element(
    'div',
    { class: 'note stop' },
    element(
      'p',
      {},
      `What falls due from ${instant(effectiveAt)} on goes to ${to}, asked for ${instant(requestedAt)}.`,
    ),
    address !== null && element('p', {}, copyable('the new address', address, shortAddress(address))),
    actionForm('Cancel this change', [], async () => {
      const { changesFrozenUntil } = await session.api.cancelPayoutChange({ changeId: id });
      return sayDone(
        session,
        `The change is cancelled. You are paid as before, and nothing can be changed until ${instant(changesFrozenUntil)}.`,
      );
    }),
  );
}

/** One transfer pays all sales that were due at that time. */
function transfers(payouts: Dashboard['usdcPayouts']): HTMLElement {
  const rows = payouts.map(({ createdAt, status, purchaseIds, transaction, amountCents, gasCents }) => [
    timeOf(createdAt),
    TRANSFERS[status],
    String(purchaseIds.length),
    transaction && copyable('the transaction', transaction, shortAddress(transaction)),
    gasCents === 0 ? money(amountCents) : `${money(amountCents)}, less ${money(gasCents)} of gas`,
  ]);
  return table('USDC transfers', ['Started', 'State', 'Sales', 'Transaction', '#Amount'], rows);
}

const TRANSFERS = {
  sending: 'On its way',
  paid: 'Paid',
  refused: 'Failed; its sales are paid with a later transfer',
} as const;

function wayText({ paidTo, connected, wallet, account, waitsUntil }: Payouts): string {
  const dueThen = 'when its time in escrow is over.';
  if (paidTo === 'wallet') return `Your share of each sale goes to your wallet, in USDC, ${dueThen}`;
  const isWalletIdle =
    wallet === null ? '' : ' Your wallet is on another chain than the marketplace pays on.';
  if (paidTo === 'account')
    return `Your share of each sale goes to your account at the card processor ${dueThen}${isWalletIdle}`;
  if (waitsUntil !== null)
    return `Payouts were connected with a link. You are paid from ${instant(waitsUntil)} on; what is due waits until then.`;
  if (connected) return `Payouts are not possible now; what is due is paid later.${isWalletIdle}`;
  return account === null
    ? 'Not connected: your priced listings are not live. Free listings do not need it.'
    : 'Not connected yet: the card processor still needs details. Your priced listings are not live.';
}

function accountText({ payoutsEnabled, detailsSubmitted }: NonNullable<Payouts['account']>): string {
  if (payoutsEnabled) return 'Ready for payouts';
  return detailsSubmitted ? 'Details are being checked' : 'Details are still missing';
}

const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
const chainName = (chainId: number) => CHAINS[chainId] ?? `chain ${chainId}`;
