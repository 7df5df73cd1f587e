import type { Operations } from '@agent-marketplace/sdk';
import { count } from '../../format/figures.ts';
import type { Desk } from './desk.ts';
import { element, section, table, timeOf, untrustedText } from './dom.ts';
import { actionForm, type Field } from './forms.ts';

type Everybody = Operations['listOperators']['output'];
type Operator = Everybody['operators'][number];
type Role = Operator['role'];

const ROLES: readonly Role[] = ['viewer', 'support', 'finance', 'admin'];
const reason: Field = { name: 'reason', label: 'Reason', attributes: { required: '', maxlength: '1000' } };
const role: Field = {
  name: 'role',
  label: 'Role',
  type: 'select',
  options: ROLES.map((one) => [one, one] as const),
};

/** As whom this tab is signed in. */
export function operatorIdentity({ you }: Pick<Everybody, 'you'>): HTMLElement {
  return element(
    'p',
    { class: 'fine' },
    'You are ',
    untrustedText(you.name),
    `, with the role ${you.role}. `,
    element('a', { href: '/operator/operators' }, 'Operators and what they did'),
  );
}

/** A secret is shown once, and only to whoever asked for it. */
function secretText(name: string, secret: string): HTMLElement {
  const code = element('code', { class: 'secret' }, secret);
  return element('span', {}, 'The secret of ', untrustedText(name), ', shown once: ', code);
}

/** Whoever did not make their own secret is told who has seen it. */
export function ownSecret({ api }: Desk, { you, operators }: Everybody): HTMLElement {
  const own = operators.find(({ id }) => id === you.id);
  if (!own) {
    const text =
      'You came with the secret of the deployment. Use it to make operators, and for nothing else.';
    return section('Your secret', element('p', {}, text));
  }
  return section(
    'Your secret',
    own.secretSetBy !== own.id &&
      element('p', { class: 'note' }, 'Whoever gave it to you has seen it. Set one of your own.'),
    actionForm('Set a new secret', [], async () => {
      const { secret } = await api.rotateOperatorSecret({ operatorId: own.id });
      return secretText(own.name, secret);
    }),
  );
}

/** Everybody, and for admins what changes them. */
export function operatorList(desk: Desk, { you, operators }: Everybody): HTMLElement {
  const rows = operators.map((one) => [
    untrustedText(one.name),
    one.revokedAt === null ? one.role : element('span', {}, 'revoked ', timeOf(one.revokedAt)),
    timeOf(one.createdAt),
    one.secretSetBy === one.id ? 'nobody else' : 'whoever made it',
    element('code', {}, one.id),
  ]);
  const live = operators.filter(({ revokedAt }) => revokedAt === null);
  return section(
    `Operators (${count(live.length)})`,
    rows.length > 0 && table('Operators', ['Name', 'Role', 'Since', 'Secret seen by', 'Id'], rows),
    ...(you.role === 'admin' ? [newOperator(desk), ...live.map((one) => changes(desk, one))] : []),
  );
}

function newOperator({ api }: Desk): HTMLElement {
  const name: Field = { name: 'name', label: 'Name', attributes: { required: '', maxlength: '100' } };
  return actionForm('Make an operator', [name, role, reason], async (values) => {
    const { secret } = await api.createOperator({
      name: values.name ?? '',
      role: values.role as Role,
      reason: values.reason ?? '',
    });
    return secretText(values.name ?? '', secret);
  });
}

function changes({ api, refresh }: Desk, { id: operatorId, name }: Operator): HTMLElement {
  return element(
    'details',
    {},
    element('summary', {}, 'Change ', untrustedText(name)),
    actionForm('Change the role', [role, reason], async (values) => {
      await api.changeOperatorRole({ operatorId, role: values.role as Role, reason: values.reason ?? '' });
      await refresh();
      return null;
    }),
    actionForm('Give a new secret', [reason], async (values) => {
      const { secret } = await api.rotateOperatorSecret({ operatorId, reason: values.reason ?? '' });
      return secretText(name, secret);
    }),
    actionForm('Revoke', [reason], async (values) => {
      await api.revokeOperator({ operatorId, reason: values.reason ?? '' });
      await refresh();
      return null;
    }),
  );
}
