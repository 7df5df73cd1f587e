import type { Operations } from '@agent-marketplace/sdk';
import { count } from '../../format/figures.ts';
import { element, section, table, timeOf, untrustedText } from '../parts/dom.ts';
import { actionForm, type Field } from '../parts/forms.ts';
import { sayDone } from '../parts/say-done.ts';
import { forRole, type OperatorSession, ROLES, type Role } from './operator-session.ts';

type Everybody = Operations['listOperators']['output'];
type Operator = Everybody['operators'][number];

const reason: Field = { name: 'reason', label: 'Reason', attributes: { required: '', maxlength: '1000' } };
const role: Field = {
  name: 'role',
  label: 'Role',
  type: 'select',
  options: ROLES.map((one) => [one, one] as const),
};

/** A secret is shown once, and only to whoever asked for it. */
function secretText(name: string, secret: string): HTMLElement {
  const code = element('code', { class: 'secret' }, secret);
  return element('span', {}, 'The secret of ', untrustedText(name), ', shown once: ', code);
}

/** Whoever did not make their own secret is told who has seen it. */
export function ownSecret({ api, everybody: { you, operators } }: OperatorSession): HTMLElement {
  const own = operators.find(({ id }) => id === you.id);
  if (!own) {
    const text = 'You signed in with the deployment secret. Use it to add operators, and for nothing else.';
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
export function operatorList(session: OperatorSession): HTMLElement {
  const { operators } = session.everybody;
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
    forRole(session, 'admin', () =>
      element('div', { class: 'stack' }, newOperator(session), ...live.map((one) => changes(session, one))),
    ),
  );
}

function newOperator({ api }: OperatorSession): HTMLElement {
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

function changes(session: OperatorSession, { id: operatorId, name }: Operator): HTMLElement {
  return element(
    'details',
    {},
    element('summary', {}, 'Change ', untrustedText(name)),
    actionForm('Change the role', [role, reason], async (values) => {
      await session.api.changeOperatorRole({
        operatorId,
        role: values.role as Role,
        reason: values.reason ?? '',
      });
      return sayDone(session, `The role is ${values.role} now.`);
    }),
    actionForm('Give a new secret', [reason], async (values) => {
      const { secret } = await session.api.rotateOperatorSecret({ operatorId, reason: values.reason ?? '' });
      return secretText(name, secret);
    }),
    actionForm('Revoke', [reason], async (values) => {
      await session.api.revokeOperator({ operatorId, reason: values.reason ?? '' });
      return sayDone(
        session,
        'Revoked: nothing that is under way with that secret changes anything any more.',
      );
    }),
  );
}
