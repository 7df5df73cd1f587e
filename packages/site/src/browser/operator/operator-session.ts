import type { Operations } from '@agent-marketplace/sdk';
import { element } from '../parts/dom.ts';
import type { Session } from '../parts/session.ts';

type Everybody = Operations['listOperators']['output'];
export type Role = Everybody['you']['role'];

export const ROLES: readonly Role[] = ['viewer', 'support', 'finance', 'admin'];

/** The session of an operator who came in. */
export interface OperatorSession extends Session {
  readonly you: Everybody['you'];
  readonly everybody: Everybody;
}

export const mayDo = ({ you }: OperatorSession, least: Role) =>
  ROLES.indexOf(you.role) >= ROLES.indexOf(least);

/** What only a role may do; whoever has a lesser one reads why it is not there. */
export function forRole(session: OperatorSession, least: Role, make: () => HTMLElement): HTMLElement {
  const { you } = session;
  if (mayDo(session, least)) return make();
  return element(
    'p',
    { class: 'note' },
    `This needs the role ${least}; yours is ${you.role}. An admin can change it under `,
    element('a', { href: '/operator/settings' }, 'Settings'),
    '.',
  );
}
