import type { Operations } from '@agent-marketplace/sdk';
import { money } from '../format/figures.ts';
import { AGENT_KEY } from './parts/agent-key.ts';
import { rowDialog } from './parts/console/row-dialog.ts';
import { stateBadge } from './parts/console/templates.ts';
import { copyable } from './parts/copyable.ts';
import { element, section, timeOf, untrustedText } from './parts/dom.ts';
import { actionForm, centsOf, type Field } from './parts/forms.ts';
import { sayDone } from './parts/say-done.ts';
import { openSession, type Session, withApiKey } from './parts/session.ts';

type Key = Operations['listKeys']['output']['keys'][number];
type Budget = Operations['getKeyBudget']['output'];
type Policy = NonNullable<Budget['policy']>;

const SCOPES = ['read', 'buy', 'sell', 'manage', 'all'] as const;

openSession(AGENT_KEY, withApiKey, async (session) => {
  const { keys, callerKeyId } = await session.api.listKeys();
  const live = keys.filter(({ state }) => state === 'live');
  const ended = keys.filter(({ state }) => state !== 'live');
  const readBudget = budgetReader(session);
  const rows = (shown: readonly Key[]) =>
    element(
      'ul',
      { class: 'rows keys' },
      ...shown.map((key) => keyRow(session, key, { readBudget, isCaller: key.id === callerKeyId })),
    );
  return [
    element('p', { class: 'actions' }, newKey(session)),
    section(`Live keys (${live.length})`, rows(live)),
    ...(ended.length === 0
      ? []
      : [element('details', {}, element('summary', {}, `Keys that ended (${ended.length})`), rows(ended))]),
  ];
});

type ReadBudget = (key: Key) => Promise<Budget | null>;

/** Null: the key has no limits, or is above the one that asks. Keys of one policy are asked about once. */
function budgetReader({ api }: Session): ReadBudget {
  const read = new Map<string, Promise<Budget | null>>();
  return ({ id, policyId }) => {
    if (policyId === null) return Promise.resolve(null);
    const budget = read.get(policyId) ?? api.getKeyBudget({ keyId: id }).catch(() => null);
    read.set(policyId, budget);
    return budget;
  };
}

interface RowFacts {
  readonly readBudget: ReadBudget;
  /** The page is open with it. */
  readonly isCaller: boolean;
}

function keyRow(session: Session, key: Key, { readBudget, isCaller }: RowFacts): HTMLElement {
  const { label, scopes, state, lastUsedAt, createdAt, policyId } = key;
  const isLive = state === 'live';
  const budget = element('p', { class: 'row-line' }, policyId === null ? 'No limit' : '…');
  if (isLive && policyId !== null)
    void readBudget(key).then((one) => budget.replaceChildren(budgetText(one)));
  const end = key.revokedAt ?? key.expiresAt;
  const used = lastUsedAt === null ? ['never used'] : ['last used ', timeOf(lastUsedAt)];
  const facts = [
    [scopes.join(', ')],
    used,
    end === null ? ['made ', timeOf(createdAt)] : [isLive ? 'ends ' : 'ended ', timeOf(end)],
  ];
  return element(
    'li',
    { class: 'row' },
    element(
      'div',
      { class: 'row-what' },
      element('h3', { class: 'row-title' }, untrustedText(label), isCaller && ' (this one)'),
      isLive && budget,
      element('p', { class: 'row-facts' }, ...facts.map((fact) => element('span', {}, ...fact))),
    ),
    element(
      'div',
      { class: 'row-end' },
      stateBadge(isLive ? 'done' : 'waiting', state),
      isLive &&
        rowDialog({
          text: 'Change',
          what: label,
          draw: async () => changeKey(session, key, isCaller ? null : { before: await readBudget(key) }),
        }),
    ),
  );
}

const PERIODS = { day: 'today', week: 'this week', month: 'this month', total: 'in all' } as const;

/** What is left of the limit that is reached first. */
function budgetText(budget: Budget | null): string {
  const [first] = (budget?.windows ?? [])
    .filter(({ leftCents }) => leftCents !== null)
    .sort((a, b) => Number(a.leftCents) - Number(b.leftCents));
  const { perPurchaseCents = null, approvalAboveCents = null } = budget?.policy ?? {};
  if (first) {
    const of = first.limitCents === null ? '' : ` of ${money(first.limitCents)}`;
    return `${money(Number(first.leftCents))}${of} left ${PERIODS[first.period]}`;
  }
  if (perPurchaseCents !== null) return `At most ${money(perPurchaseCents)} a purchase`;
  if (approvalAboveCents !== null) return `Asks a person above ${money(approvalAboveCents)}`;
  return budget === null ? 'Seen by the keys above it' : 'No limit in money';
}

/** Draws the list anew, with a key that was just made above it: it is shown here, and nowhere again. */
const showOnce = (session: Session, apiKey: string) =>
  sayDone(
    session,
    element('p', {}, 'The new key, shown once. Keep it: ', copyable('the new key', apiKey, apiKey)),
  );

function newKey(session: Session): HTMLElement {
  const fields = [
    { name: 'label', label: 'What it is for', attributes: { required: '', maxlength: '64' } },
    ...SCOPES.map((scope) => ({
      name: scope,
      label: scope === 'all' ? 'May do everything' : `May ${scope}`,
      type: 'checkbox',
    })),
    {
      name: 'days',
      label: 'Days until it ends',
      type: 'number',
      attributes: { min: '1', max: '3650' },
    },
    ...budgetFields(null),
  ];
  const form = () =>
    actionForm(
      'Make the key',
      fields,
      async (values) => {
        const days = Number(values.days || 0);
        const policy = changedLimits(values, null);
        const { apiKey } = await session.api.createKey({
          label: values.label ?? '',
          scopes: SCOPES.filter((scope) => values[scope] !== undefined),
          ...(days > 0 ? { expiresAt: new Date(Date.now() + days * 86_400_000).toISOString() } : {}),
          ...(Object.keys(policy).length === 0 ? {} : { policy }),
        });
        return showOnce(session, apiKey);
      },
      'pairs',
    );
  return rowDialog({
    text: 'Make a key',
    what: 'A new key',
    draw: () => [element('p', { class: 'soft' }, HOW_TO_BOUND), form()],
  });
}

const AMOUNTS = {
  perPurchaseCents: 'Most for one purchase',
  perDayCents: 'Most a day',
  perWeekCents: 'Most a week',
  perMonthCents: 'Most a month',
  totalCents: 'Most in all',
  approvalAboveCents: 'Ask a person above',
} as const;
const LISTS = {
  verticals: 'Verticals, by their short names',
  sellers: 'Sellers, by their ids',
  rails: 'Ways: wallet, card, checkout, x402',
} as const;
const isAmount = (name: string): name is keyof typeof AMOUNTS => name in AMOUNTS;
const isList = (name: string): name is keyof typeof LISTS => name in LISTS;

/** As a form shows a limit that is in force. */
function limitText(policy: Policy | null, name: string): string {
  if (policy === null) return '';
  if (isList(name)) return policy[name]?.join(', ') ?? '';
  const cents = isAmount(name) ? policy[name] : null;
  return cents === null ? '' : (cents / 100).toFixed(2);
}

const HOW_TO_BOUND = 'Amounts are in dollars, lists have commas between; what is empty is no limit.';

function budgetFields(policy: Policy | null): Field[] {
  const amounts = Object.entries(AMOUNTS).map(([name, what]) => ({
    name,
    label: what,
    attributes: {
      pattern: String.raw`\d{1,8}(\.\d\d)?`,
      inputmode: 'decimal',
      value: limitText(policy, name),
    },
  }));
  const lists = Object.entries(LISTS).map(([name, what]) => ({
    name,
    label: what,
    attributes: { value: limitText(policy, name) },
  }));
  return [...amounts, ...lists];
}

/** The limits that differ from those in force; what was emptied is null. */
function changedLimits(
  values: Readonly<Record<string, string>>,
  before: Policy | null,
): Record<string, number | string[] | null> {
  const changed = Object.entries(values).filter(
    ([name, value]) => (isAmount(name) || isList(name)) && value.trim() !== limitText(before, name),
  );
  return Object.fromEntries(
    changed.map(([name, value]) => {
      if (value.trim() === '') return [name, null];
      return [name, isList(name) ? value.split(',').map((one) => one.trim()) : centsOf(value)];
    }),
  );
}

/** A key never changes its own limits: `bounds` is null for it. */
function changeKey(
  session: Session,
  { id, label }: Key,
  bounds: { readonly before: Budget | null } | null,
): HTMLElement[] {
  const { api } = session;
  const policy = bounds?.before?.policy ?? null;
  const budget =
    bounds &&
    section(
      'Budget',
      element('p', { class: 'soft' }, HOW_TO_BOUND),
      actionForm(
        'Change its budget',
        budgetFields(policy),
        async (values) => {
          await api.changeKeyPolicy({ keyId: id, ...changedLimits(values, policy) });
          return sayDone(session, `The budget of ${label} is changed.`);
        },
        'pairs',
      ),
    );
  return [
    ...(budget ? [budget] : []),
    section(
      'A new text in its place',
      actionForm(
        'Rotate',
        [
          {
            name: 'hours',
            label: 'Hours for which the old one still works, 0 to 24',
            type: 'number',
            attributes: { min: '0', max: '24', required: '', value: '1' },
          },
        ],
        async ({ hours }) =>
          showOnce(session, (await api.rotateKey({ keyId: id, overlapHours: Number(hours) })).apiKey),
      ),
    ),
    section(
      'End it',
      actionForm('Revoke it, and all keys made with it', [], async () => {
        await api.revokeKey({ keyId: id });
        return sayDone(session, `The key ${label} is revoked, and all that were made with it.`);
      }),
    ),
  ];
}
