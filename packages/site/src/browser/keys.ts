import type { Operations } from '@agent-marketplace/sdk';
import { money } from '../format/figures.ts';
import { AGENT_KEY } from './parts/agent-key.ts';
import { type Desk, openDesk, withApiKey } from './parts/desk.ts';
import { element, section, table, timeOf, untrustedText } from './parts/dom.ts';
import { actionForm, centsOf, type Field } from './parts/forms.ts';
import { sayDone } from './parts/say-done.ts';

type Keys = Operations['listKeys']['output'];
type Key = Keys['keys'][number];

const SCOPES = ['read', 'buy', 'sell', 'manage', 'all'] as const;

openDesk(AGENT_KEY, withApiKey, async (desk) => {
  const list = await desk.api.listKeys();
  const isLive = ({ state }: Key) => state === 'live';
  return [
    section('Live keys', keyTable('Live keys', list, list.keys.filter(isLive))),
    newKey(desk),
    ...list.keys.filter(isLive).map((key) => changeKey(desk, key, list.callerKeyId)),
    section(
      'Keys that ended',
      keyTable(
        'Keys that ended',
        list,
        list.keys.filter((key) => !isLive(key)),
      ),
    ),
  ];
});

function keyTable(label: string, { callerKeyId }: Keys, keys: readonly Key[]): HTMLElement {
  if (keys.length === 0) return element('p', { class: 'soft' }, 'None.');
  return table(
    label,
    ['What it is for', 'What it may do', 'Made', 'Ends', 'Last used'],
    keys.map((key) => [
      element('span', {}, untrustedText(key.label), key.id === callerKeyId ? ' (this one)' : ''),
      key.scopes.join(', '),
      timeOf(key.createdAt),
      endOf(key),
      key.lastUsedAt === null ? 'never' : timeOf(key.lastUsedAt),
    ]),
  );
}

function endOf({ expiresAt, revokedAt }: Key): HTMLElement | string {
  const end = revokedAt ?? expiresAt;
  return end === null ? 'when it is revoked' : timeOf(end);
}

/** A key that was just made: shown here, and nowhere again. */
function shownOnce(apiKey: string): HTMLElement {
  return element(
    'span',
    {},
    'The new key, shown once. Keep it, and reload the page to see it in the list: ',
    element('code', { class: 'wraps' }, apiKey),
  );
}

function newKey({ api }: Desk): HTMLElement {
  return section(
    'Make a key',
    actionForm(
      'Make the key',
      [
        { name: 'label', label: 'What it is for', attributes: { required: '', maxlength: '64' } },
        ...SCOPES.map((scope) => ({
          name: scope,
          label: scope === 'all' ? 'May do everything' : `May ${scope}`,
          type: 'checkbox',
        })),
        {
          name: 'days',
          label: 'Days until it ends (empty: with this key)',
          type: 'number',
          attributes: { min: '1', max: '3650' },
        },
        ...budgetFields('empty: no limit'),
      ],
      async (values) => {
        const scopes = SCOPES.filter((scope) => values[scope] !== undefined);
        const limits = limitsOf(values);
        const days = Number(values.days || 0);
        const expiresAt =
          days > 0 ? { expiresAt: new Date(Date.now() + days * 86_400_000).toISOString() } : {};
        const { apiKey } = await api.createKey({
          label: values.label ?? '',
          scopes,
          ...expiresAt,
          ...(Object.keys(limits).length === 0 ? {} : { policy: limits }),
        });
        return shownOnce(apiKey);
      },
      'pairs',
    ),
  );
}

const AMOUNTS = {
  perPurchaseCents: 'one purchase',
  perDayCents: 'a day',
  perWeekCents: 'a week',
  perMonthCents: 'a month',
  totalCents: 'in all',
  approvalAboveCents: 'without approval',
} as const;
const LISTS = {
  verticals: 'Verticals by their short names, such as weather',
  sellers: 'Sellers by their ids',
  rails: 'Ways to pay (wallet, card, checkout, x402)',
} as const;

/** The limits of a key. `empty` says what an empty field means. */
function budgetFields(empty: string): Field[] {
  const amounts = Object.entries(AMOUNTS).map(([name, what]) => ({
    name,
    label: `Dollars, ${what} (${empty})`,
    attributes: { pattern: String.raw`any|\d{1,8}(\.\d\d)?`, inputmode: 'decimal' },
  }));
  const lists = Object.entries(LISTS).map(([name, what]) => ({
    name,
    label: `${what}, separated by commas (${empty})`,
  }));
  return [...amounts, ...lists];
}

/** What was entered, without what was left empty. `any` takes a limit away. */
function limitsOf(values: Readonly<Record<string, string>>): Record<string, number | string[] | null> {
  const entered = Object.entries(values).filter(
    ([name, value]) => (name in AMOUNTS || name in LISTS) && value.trim() !== '',
  );
  return Object.fromEntries(
    entered.map(([name, value]) => {
      if (value === 'any') return [name, null];
      return [name, name in LISTS ? value.split(',').map((one) => one.trim()) : centsOf(value)];
    }),
  );
}

function budgetForm({ api }: Desk, keyId: string): HTMLElement {
  return actionForm(
    'Change its budget',
    budgetFields('empty: as it is; any: no limit'),
    async (values) => {
      const { windows } = await api.changeKeyPolicy({ keyId, ...limitsOf(values) });
      const left = windows.flatMap(({ period, leftCents }) =>
        leftCents === null ? [] : [`${money(leftCents)} (${period})`],
      );
      return left.length === 0 ? 'Changed.' : `Changed. Left: ${left.join(', ')}.`;
    },
    'pairs',
  );
}

function changeKey(desk: Desk, { id, label }: Key, callerKeyId: string): HTMLElement {
  const { api } = desk;
  return section(
    'Change a key',
    element('p', {}, untrustedText(label)),
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
        shownOnce((await api.rotateKey({ keyId: id, overlapHours: Number(hours) })).apiKey),
    ),
    // A key never changes its own limits.
    ...(id === callerKeyId ? [] : [budgetForm(desk, id)]),
    actionForm('Revoke it, and all keys made with it', [], async () => {
      await api.revokeKey({ keyId: id });
      return sayDone(desk, 'The key is revoked, and all that were made with it.');
    }),
  );
}
