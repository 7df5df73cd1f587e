import { randomInt } from 'node:crypto';
import { missing } from './problem.ts';
import type { Event } from './records.ts';
import type { State } from './state.ts';

/** What `stripe` 23.1.0 speaks. */
export const API_VERSION = '2026-10-28.endive';

/** What every endpoint and page works with. */
export interface World {
  readonly state: State;
  /** Milliseconds, as far as the clock was put forward. */
  now(): number;
  /** Where pages are reached, without a trailing slash. */
  readonly baseUrl: string;
  /** Tells the webhook. `account`: the connected account that it happened to. */
  emit(type: Event['type'], object: unknown, account?: string): void;
}

export function seconds(world: World): number {
  return Math.floor(world.now() / 1000);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function newId(prefix: string, length = 24): string {
  return `${prefix}_${Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;
}

/** An object by its id, as the path or a parameter names it. */
export function find<T>(
  table: Readonly<Record<string, T>>,
  id: string,
  named: { what: string; param: string; status?: 400 | 404 },
): T {
  const object = Object.hasOwn(table, id) ? table[id] : undefined;
  if (!object) throw missing(named.what, id, named.param, named.status);
  return object;
}

export function findIntent(world: World, id: string, param = 'intent', status: 400 | 404 = 404) {
  return find(world.state.paymentIntents, id, { what: 'payment_intent', param, status });
}

/** What may be shown whole in place of its id: the field by object, and where it is found. */
function tableOf(state: State, object: unknown, field: string): Readonly<Record<string, object>> | undefined {
  const { object: type } = object as { object?: string };
  const tables: Readonly<Record<string, Readonly<Record<string, object>>>> = {
    'checkout.session.customer': state.customers,
    'checkout.session.payment_intent': state.paymentIntents,
    'checkout.session.setup_intent': state.setupIntents,
    'balance_transaction.source': {
      ...state.charges,
      ...state.refunds,
      ...state.disputes,
      ...state.transfers,
      ...state.transferReversals,
      ...state.bankMovements,
    },
    'charge.payment_intent': state.paymentIntents,
    'dispute.charge': state.charges,
    'dispute.payment_intent': state.paymentIntents,
    'payment_intent.customer': state.customers,
    'payment_intent.latest_charge': state.charges,
    'payment_intent.payment_method': state.paymentMethods,
    'refund.charge': state.charges,
    'refund.payment_intent': state.paymentIntents,
    'setup_intent.payment_method': state.paymentMethods,
    'transfer.destination': state.accounts,
    'transfer.source_transaction': state.charges,
  };
  return tables[`${type}.${field}`];
}

/** A copy of the object with what was asked for shown whole; null if such a field cannot be. */
export function expanded(state: State, object: object, [field = '', ...inner]: string[]): object | null {
  if (field === '') return object;
  if (Array.isArray(object)) {
    const all = object.map((one: object) => expanded(state, one, [field, ...inner]));
    return all.includes(null) ? null : all;
  }
  const known = (object as Record<string, unknown>)[field];
  const table = tableOf(state, object, field);
  if (!table && !(known && typeof known === 'object')) return null;
  if (known === null || known === undefined) return object;
  const whole = typeof known === 'string' ? table?.[known] : (known as object);
  if (!whole) return null;
  const deeper = expanded(state, whole, inner);
  return deeper && { ...object, [field]: deeper };
}

/** One page of a list, newest first, as Stripe answers it. */
export function page<T extends { readonly id: string }>(
  path: string,
  objects: readonly T[],
  { limit = 10, starting_after }: { limit?: number | undefined; starting_after?: string | undefined },
): { object: 'list'; data: T[]; has_more: boolean; url: string } {
  const newestFirst = objects.toReversed();
  const start = starting_after ? newestFirst.findIndex(({ id }) => id === starting_after) + 1 : 0;
  const data = newestFirst.slice(start, start + limit);
  return { object: 'list', data, has_more: start + limit < newestFirst.length, url: path };
}
