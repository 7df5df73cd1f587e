import type { Operations } from '@agent-marketplace/sdk';
import { day, instant, money, timeLeft } from '../format/figures.ts';
import type { StateKind } from '../format/state-kind.ts';
import { AGENT_KEY } from './parts/agent-key.ts';
import { stateBadge } from './parts/console/templates.ts';
import { element, facts, ledger, offerFile, section, untrustedText } from './parts/dom.ts';
import { actionForm } from './parts/forms.ts';
import { sayDone } from './parts/say-done.ts';
import { openSession, type Session, withApiKey } from './parts/session.ts';

type Erasure = Operations['getErasure']['output'];
type Own = Operations['getOwnAgent']['output'];
type Export = Operations['exportOwnData']['output'];

const STATES: Readonly<Record<Own['state'], readonly [StateKind, string]>> = {
  active: ['done', 'Active'],
  limited: ['attention', 'Buys nothing that has a price'],
  suspended: ['failed', 'Suspended: neither buys nor sells'],
};

const LIMITS = {
  chargeback: 'A bank took back what topped up the wallet. Write to us to have it lifted.',
  operator: 'An operator decided so. Write to us to have it lifted.',
} as const;

const MINUTE_MS = 60_000;

/** What to do about whatever has to end first. */
const BLOCKERS: Readonly<Record<Erasure['blockers'][number]['kind'], string>> = {
  purchase: 'A purchase whose money is in escrow: wait for it, or cancel it',
  sale: 'A sale whose money is in escrow: wait for it, or refund it',
  offer: 'An open offer: withdraw or decline it',
  chargeback: 'A payment that is disputed at a bank: wait for the decision',
  payout: 'A payout that is on its way',
  top_up: 'A top-up that is open, or on its way back to its card',
  escrow: 'Money of your sales in escrow',
  balance: 'Credit that no card takes back: spend it, or give it up below',
};

openSession(AGENT_KEY, withApiKey, async (session) => {
  const [own, erasure] = await Promise.all([session.api.getOwnAgent(), session.api.getErasure()]);
  return [
    identity(own),
    mailAddress(session, own),
    held(session),
    erasure.state === 'due' ? due(session, erasure) : leave(session, erasure),
  ];
});

function identity({ buyerLabel, handle, state, suspendedReason, limitedReason }: Own): HTMLElement {
  return section(
    'Who your agent is',
    facts([
      ['Others find it as', element('code', {}, handle)],
      ['Sellers know it as', untrustedText(buyerLabel)],
      ['How it stands', stateBadge(...STATES[state])],
      ...(suspendedReason === null ? [] : [['Why', untrustedText(suspendedReason)] as const]),
      ...(limitedReason === null ? [] : [['Why', LIMITS[limitedReason]] as const]),
    ]),
  );
}

function mailAddress(session: Session, { email, hasEmail }: Own): HTMLElement {
  const words = email.isVerified
    ? 'An address is confirmed. It gets receipts and notices, and can recover the account.'
    : email.pendingUntil !== null
      ? `An address waits to be confirmed until ${instant(email.pendingUntil)}: open the link that was mailed to it.`
      : hasEmail
        ? 'An address is kept, and not confirmed. Enter it again to be mailed a link.'
        : 'No address is kept. Without a confirmed one, a lost key cannot be replaced.';
  return section(
    'E-mail address',
    element('p', {}, words),
    actionForm(
      'Mail me a link',
      [
        {
          name: 'email',
          label: email.isVerified ? 'Another address' : 'Your address',
          type: 'email',
          attributes: { required: '', maxlength: '254', autocomplete: 'email' },
        },
      ],
      async ({ email: address = '' }) => {
        await session.api.updateAgent({ email: address });
        return sayDone(session, `A link is on its way to ${address}.`);
      },
    ),
  );
}

function held({ api }: Session): HTMLElement {
  return section(
    'What is held about you',
    element(
      'p',
      {},
      'Your account, purchases, sales, messages, events and money, as one file. What you bought is not in it: it is never stored.',
    ),
    actionForm('Prepare the file', [], async () => {
      const whole = await readAll(api);
      return offerFile(JSON.stringify(whole, null, 2), `account-${day(whole.exportedAt)}.json`);
    }),
  );
}

async function readAll(api: Session['api']): Promise<Pick<Export, 'agentId' | 'exportedAt' | 'records'>> {
  const first = await api.exportOwnData({ limit: 200 });
  const { agentId, exportedAt } = first;
  const records = [...first.records];
  let { nextCursor } = first;
  while (nextCursor !== null) {
    const next = await api.exportOwnData({ limit: 200, cursor: nextCursor });
    records.push(...next.records);
    nextCursor = next.nextCursor;
  }
  return { agentId, exportedAt, records };
}

function leave(session: Session, { balance, blockers }: Erasure): HTMLElement {
  const givesUp = balance.leftCents > 0;
  const isBlocked = blockers.some(({ kind }) => kind !== 'balance');
  return section(
    'Leave',
    element(
      'p',
      {},
      'Seven days after you ask, your name, addresses, keys, messages and queries are erased. Until then keys only read, ' +
        'listings are off the market, and you can change your mind. Records of money stay under a number that names nobody, ' +
        'and what was published and signed stays.',
    ),
    ...walletOf(balance),
    blockers.length > 0 && element('p', {}, 'This has to end first:'),
    blockers.length > 0 &&
      element(
        'ul',
        {},
        ...blockers.map(({ kind, reference }) =>
          element(
            'li',
            {},
            `${BLOCKERS[kind]} `,
            element('code', { title: reference }, reference.slice(0, 8)),
          ),
        ),
      ),
    !isBlocked &&
      actionForm(
        'Erase the account in 7 days',
        [
          ...(givesUp
            ? [
                {
                  name: 'givesUp',
                  label: `I give up ${money(balance.leftCents)} that no card takes back`,
                  type: 'checkbox',
                  attributes: { required: '' },
                },
              ]
            : []),
          {
            name: 'isSure',
            label: 'I know that an erased account cannot be brought back',
            type: 'checkbox',
            attributes: { required: '' },
          },
        ],
        async () => {
          await session.api.requestErasure(givesUp ? { giveUpBalance: true } : {});
          return sayDone(session, 'The account is to be erased. You can change your mind until then.');
        },
        'danger',
      ),
  );
}

function walletOf({ leftCents, toCards }: Erasure['balance']): HTMLElement[] {
  if (toCards.length === 0 && leftCents === 0) return [];
  const rows = toCards.map(
    ({ amountCents, paidAt }) =>
      [`Back to the card that paid on ${day(paidAt)}`, money(amountCents)] as const,
  );
  const left = leftCents === 0 ? [] : [['Taken back by no card', money(leftCents)] as const];
  return [element('p', {}, 'What becomes of your wallet:'), ledger([...rows, ...left])];
}

function due(session: Session, { balance, dueAt }: Erasure): HTMLElement {
  const at = dueAt ?? '';
  return section(
    'This account is to be erased',
    element('p', {}, `On ${instant(at)}: `, countdownTo(at)),
    ...walletOf(balance),
    actionForm('Keep the account', [], async () => {
      await session.api.cancelErasure({});
      return sayDone(session, 'The account stays.');
    }),
  );
}

/** Says every minute how long it still is, until it is off the page. */
function countdownTo(iso: string): HTMLElement {
  const node = element('strong', { role: 'timer' });
  const show = () => {
    node.textContent = timeLeft(Date.parse(iso) - Date.now());
  };
  show();
  const timer = setInterval(() => {
    if (node.isConnected) show();
    else clearInterval(timer);
  }, MINUTE_MS);
  return node;
}
