import type { Operations } from '@agent-marketplace/sdk';
import type { Desk } from '../parts/desk.ts';
import { element } from '../parts/dom.ts';

type Everybody = Operations['listOperators']['output'];
export type Role = Everybody['you']['role'];

export const ROLES: readonly Role[] = ['viewer', 'support', 'finance', 'admin'];

/** The desk of an operator who came in. */
export interface OperatorDesk extends Desk {
  readonly you: Everybody['you'];
  readonly everybody: Everybody;
}

export const mayDo = ({ you }: OperatorDesk, least: Role) => ROLES.indexOf(you.role) >= ROLES.indexOf(least);

/** What only a role may do; whoever has a lesser one reads why it is not there. */
export function forRole(desk: OperatorDesk, least: Role, make: () => HTMLElement): HTMLElement {
  const { you } = desk;
  if (mayDo(desk, least)) return make();
  return element(
    'p',
    { class: 'note' },
    `This needs the role ${least}; yours is ${you.role}. An admin can change it under `,
    element('a', { href: '/operator/settings' }, 'Settings'),
    '.',
  );
}
