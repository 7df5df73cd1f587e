import type { Operations } from '@agent-marketplace/sdk';
import { balanceLine } from '../format/balance-line.ts';
import { instant, money } from '../format/figures.ts';
import { platformLink, visibleText } from '../format/text.ts';
import { AGENT_KEY } from './parts/agent-key.ts';
import { element, facts, ledger, section, table, titleOf } from './parts/dom.ts';
import { actionForm, centsOf } from './parts/forms.ts';
import { draw } from './parts/order/draw.ts';
import { sayDone } from './parts/say-done.ts';
import { openSession, type Session, withApiKey } from './parts/session.ts';

type Wallet = Operations['getWalletBalance']['output'];
type Transactions = Operations['listWalletTransactions']['output'];

const PAGE = 20;
const KINDS: Readonly<Record<Transactions['transactions'][number]['kind'], string>> = {
  top_up: 'Topped up',
  reserve: 'For a purchase',
  release_reserve: 'Returned: nothing was delivered',
  refund: 'Refunded',
  chargeback: 'Disputed at the card’s bank',
};

/** What goes back to a card when its owner leaves. */
const OF_TOP_UPS: Partial<typeof KINDS> = {
  reserve: 'Sent back to the card',
  release_reserve: 'Not taken back by the card',
};

openSession(AGENT_KEY, withApiKey, async (session) => {
  const { api } = session;
  const [wallet, transactions] = await Promise.all([
    api.getWalletBalance(),
    api.listWalletTransactions({ limit: PAGE }),
  ]);
  return [
    balance(wallet, transactions),
    topUp(api, wallet),
    card(api, wallet),
    autoRecharge(session, wallet),
    section('Transactions', transactionList(api, transactions)),
  ];
});

function balance(wallet: Wallet, { transactions }: Transactions): HTMLElement {
  return section(
    'Balance',
    ledger(
      [
        ['Total paid in', money(wallet.fundedCents)],
        ['Reserved for purchases', money(wallet.reservedCents)],
        ['Refund credit, spent first', money(wallet.refundCreditCents)],
        ['You can add', money(wallet.availableToFundCents)],
        ['Available now', money(wallet.balanceCents)],
      ],
      true,
    ),
    ...balanceChart(transactions),
  );
}

/** The balance after each of the last transactions. */
function balanceChart(transactions: Transactions['transactions']): HTMLElement[] {
  const balances = transactions.map(({ createdAt, balanceCents }) => ({
    at: createdAt,
    cents: balanceCents,
  }));
  const [last] = balances;
  const first = balances.at(-1);
  if (!last || !first || balances.length < 2) return [];
  const sentence =
    `The balance after your last ${balances.length} transactions: from ${money(first.cents)} to ${money(last.cents)}, ` +
    `at most ${money(Math.max(...balances.map(({ cents }) => cents)))}.`;
  return [draw(balanceLine({ sentence, balances: balances.reverse(), format: money }))];
}

function topUp(api: Session['api'], wallet: Wallet): HTMLElement {
  const most = wallet.availableToFundCents / 100;
  // A page that said what is missing led here with it.
  const dollars = Number(new URLSearchParams(location.search).get('dollars')) || 20;
  const open = wallet.openTopUps.map(({ amountCents, checkoutUrl, expiresAt }) =>
    element(
      'li',
      {},
      `${money(amountCents)} is not paid yet. Until ${instant(expiresAt)}: `,
      linkTo(checkoutUrl, 'Pay'),
    ),
  );
  return section(
    'Top up',
    wallet.availableToFundCents < 1000
      ? element('p', {}, `The wallet is full: it holds at most ${money(wallet.capCents)}.`)
      : actionForm(
          'Top up',
          [
            {
              name: 'dollars',
              label: `US dollars, 10 to ${Math.floor(most)}`,
              type: 'number',
              attributes: {
                min: '10',
                max: String(most),
                step: '0.01',
                inputmode: 'decimal',
                required: '',
                value: String(Math.min(most, Math.max(10, dollars))),
              },
            },
          ],
          async ({ dollars }) => {
            const { checkoutUrl } = await api.fundWallet({ amountCents: centsOf(dollars) });
            return redirectTo(checkoutUrl);
          },
        ),
    open.length > 0 && element('ul', {}, ...open),
  );
}

function card(api: Session['api'], { savedCard }: Wallet): HTMLElement {
  const text = savedCard
    ? visibleText(
        `${savedCard.brand.replace(/^./, (letter) => letter.toUpperCase())} ending in ${savedCard.last4}, valid until ${savedCard.expMonth}/${savedCard.expYear}.`,
      )
    : 'No card is saved. With a saved card, your agent can pay without you, and the wallet can top itself up.';
  return section(
    'Saved card',
    element('p', {}, text),
    actionForm(savedCard ? 'Save another card' : 'Save a card', [], async () =>
      redirectTo((await api.setupPaymentMethod()).setupUrl),
    ),
  );
}

const ON = ['on', 'On'] as const;
const OFF = ['off', 'Off'] as const;

function autoRecharge(session: Session, { autoRecharge: now, capCents, savedCard }: Wallet): HTMLElement {
  const amount = (cents: number) => ({
    step: '0.01',
    inputmode: 'decimal',
    required: '',
    value: String(cents / 100),
  });
  return section(
    'Auto-recharge',
    facts([
      ['Now', now.enabled ? 'On' : 'Off'],
      ...(now.problem === null ? [] : [['Problem', visibleText(now.problem)] as const]),
    ]),
    savedCard === null
      ? element('p', { class: 'soft' }, 'It needs a saved card.')
      : actionForm(
          'Save',
          [
            {
              name: 'enabled',
              label: 'Top up from the saved card',
              type: 'select',
              // The first is chosen: how it is now.
              options: now.enabled ? [ON, OFF] : [OFF, ON],
            },
            {
              name: 'threshold',
              label: 'When the balance is below (US dollars)',
              type: 'number',
              attributes: { min: '0.01', ...amount(now.thresholdCents) },
            },
            {
              name: 'recharge',
              label: 'Amount (US dollars)',
              type: 'number',
              attributes: { min: '10', ...amount(now.rechargeAmountCents) },
            },
            {
              name: 'cap',
              label: 'At most in a calendar month (US dollars)',
              type: 'number',
              attributes: { min: '0', ...amount(now.monthlyCapCents) },
            },
          ],
          async ({ enabled, threshold, recharge, cap }) => {
            const isOn = enabled === 'on';
            const figures = {
              thresholdCents: centsOf(threshold),
              rechargeAmountCents: centsOf(recharge),
              monthlyCapCents: centsOf(cap),
            };
            const [below, most] = [money(figures.thresholdCents), money(capCents)];
            if (figures.thresholdCents + figures.rechargeAmountCents > capCents) {
              const text = `A wallet holds at most ${most}: choose less than that together. Nothing was changed.`;
              return element('span', { class: 'bad' }, text);
            }
            await session.api.configureAutoRecharge({ enabled: isOn, ...figures });
            return sayDone(
              session,
              isOn
                ? `Auto-recharge is on: ${money(figures.rechargeAmountCents)} from your card when the balance is below ${below}.`
                : 'Auto-recharge is off.',
            );
          },
        ),
  );
}

function purposeOf(one: Transactions['transactions'][number]): HTMLElement | string {
  const { kind, listingTitle, purchaseId } = one;
  if (purchaseId === null) return OF_TOP_UPS[kind] ?? KINDS[kind];
  // The short id tells purchases of one listing apart; the title has the whole id.
  const id = element('code', { title: purchaseId }, purchaseId.slice(0, 8));
  const bought = listingTitle === null ? [] : [titleOf(listingTitle), ', '];
  return element('span', {}, `${KINDS[kind]}: `, ...bought, id);
}

/** A page of transactions, with a button that loads the next. */
function transactionList(api: Session['api'], page: Transactions): HTMLElement {
  const { transactions, hasMore, offset } = page;
  if (transactions.length === 0)
    return element(
      'p',
      { class: 'soft' },
      'None yet. Top up above, and every movement of your money is listed here.',
    );
  const rows = transactions.map((one) => [
    element('time', { datetime: one.createdAt, class: 'nowrap' }, instant(one.createdAt)),
    purposeOf(one),
    `${one.amountCents > 0 ? '+' : ''}${money(one.amountCents)}`,
    money(one.balanceCents),
  ]);
  const whole = element(
    'div',
    { class: 'stack' },
    table('Transactions', ['When', 'What', '#Amount', '#Balance'], rows),
  );
  if (hasMore) {
    const more = element('button', { type: 'button', class: 'quiet' }, 'Show earlier');
    more.addEventListener('click', async () => {
      const next = await api.listWalletTransactions({ limit: PAGE, offset: offset + PAGE });
      more.replaceWith(transactionList(api, next));
    });
    whole.append(more);
  }
  return whole;
}

function linkTo(url: string | null, text: string): HTMLElement | null {
  const href = platformLink(url);
  return href === null ? null : element('a', { href, rel: 'noreferrer' }, text);
}

/** Leaves for the card processor, which sends the reader back to a page here. */
function redirectTo(url: string): Node {
  const href = platformLink(url);
  if (href !== null) location.assign(href);
  const words = document.createDocumentFragment();
  words.append('Continuing to the card processor. ', linkTo(url, 'Open it yourself.') ?? '');
  return words;
}
