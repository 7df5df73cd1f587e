import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { countNoun, money } from '../../format/figures.ts';
import { oneLine, platformLink } from '../../format/text.ts';
import { AGENT_KEY } from '../parts/agent-key.ts';
import { type Purchase, purchaseTable } from '../parts/console/purchase-list.ts';
import { fromTemplate } from '../parts/console/templates.ts';
import { element, keyFigures, section } from '../parts/dom.ts';
import { openSession, withApiKey } from '../parts/session.ts';

type Wallet = Operations['getWalletBalance']['output'];
type Keys = Operations['listKeys']['output'];
type Budget = Operations['getKeyBudget']['output'];
type Approvals = Operations['listApprovals']['output']['approvals'];
type Own = Operations['getOwnAgent']['output'];

const LAST = 5;

openSession(AGENT_KEY, withApiKey, async (session) => {
  const { api } = session;
  const [wallet, { purchases }, { approvals }, own, keys] = await Promise.all([
    api.getWalletBalance(),
    api.listPurchases({ limit: LAST }),
    api.listApprovals(),
    api.getOwnAgent(),
    unlessOutOfScope(api.listKeys()),
  ]);
  const budget = keys === null ? null : await unlessOutOfScope(api.getKeyBudget({ keyId: keys.callerKeyId }));
  return [
    standing(wallet, approvals, budget),
    needsYou(wallet, approvals, purchases, own),
    section(
      'Last purchases',
      ...(purchases.length === 0
        ? [fromTemplate('no-purchases')]
        : [
            purchaseTable(api, purchases),
            element('p', {}, element('a', { href: '/purchases' }, 'All purchases')),
          ]),
    ),
  ];
});

/** Null where the key may not read it: the rest of the page does not depend on it. */
async function unlessOutOfScope<Answer extends Keys | Budget>(call: Promise<Answer>): Promise<Answer | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof MarketplaceError && error.status === 403) return null;
    throw error;
  }
}

function standing(wallet: Wallet, approvals: Approvals, budget: Budget | null): HTMLElement {
  const waiting = approvals.filter(({ status }) => status === 'pending').length;
  return keyFigures([
    ['In the wallet', money(wallet.balanceCents + wallet.refundCreditCents), reserved(wallet)],
    monthFigure(wallet, budget),
    ['Waiting for your approval', String(waiting), waiting === 0 ? 'Nothing waits.' : 'See below.'],
  ]);
}

const reserved = ({ reservedCents }: Wallet) =>
  reservedCents === 0
    ? 'Nothing of it is reserved.'
    : `${money(reservedCents)} more are reserved for purchases.`;

/** Against the budget of this key, where it has one; what the wallet paid in all, where not. */
function monthFigure(wallet: Wallet, budget: Budget | null): [label: string, value: string, note: string] {
  // What a key without limits spends is in no window of a budget.
  const month = budget?.policy && budget.windows.find(({ period }) => period === 'month');
  if (!month)
    return ['Spent from the wallet, in all', money(wallet.spentCents), 'This key has no budget of its own.'];
  const left = month.leftCents === null ? 'No limit for the month.' : `${money(month.leftCents)} are left.`;
  const limit = month.limitCents === null ? '' : ` of ${money(month.limitCents)}`;
  return ['Spent this month', `${money(month.spentCents)}${limit}`, left];
}

/** What a person should do, each with where. */
function needsYou(
  wallet: Wallet,
  approvals: Approvals,
  purchases: readonly Purchase[],
  own: Own,
): HTMLElement {
  const collect = purchases.filter(({ status }) => status === 'authorized').length;
  const pay = purchases.filter(({ status }) => status === 'pending_payment').length;
  const todo: (HTMLElement | false)[] = [
    ...approvals
      .filter(({ status }) => status === 'pending')
      .map(({ amountCents, approvalUrl, listingTitle }) =>
        task(
          `Approve or decline ${money(amountCents)} for “${oneLine(listingTitle, 60)}”`,
          platformLink(approvalUrl) ?? '/approvals',
        ),
      ),
    pay > 0 && task(`Pay for ${countNoun(pay, 'purchase')}`, '/purchases'),
    collect > 0 &&
      task(
        `Collect ${countNoun(collect, 'purchase')} that ${collect === 1 ? 'is' : 'are'} paid for`,
        '/purchases',
      ),
    wallet.autoRecharge.problem !== null && task('Look at the auto-recharge: the last one failed', '/wallet'),
    wallet.balanceCents + wallet.refundCreditCents === 0 &&
      task('Add money to the wallet, to buy what has a price', '/wallet'),
    !own.email.isVerified &&
      task('Confirm an e-mail address, so that a lost key is not a lost account', '/account'),
    own.state !== 'active' && task('Read why this agent is limited', '/account'),
  ];
  const open = todo.filter((one) => one !== false);
  return section(
    'What needs you',
    open.length === 0
      ? element('p', { class: 'soft' }, 'Nothing. Your agent goes on by itself.')
      : element('ul', { class: 'tasks' }, ...open),
  );
}

const task = (words: string, href: string) => element('li', {}, element('a', { href }, words));
