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

/** What may be shown whole in place of its id, by object and field: the tables in which it is found. */
const TABLES: Readonly<Record<string, readonly (keyof State)[]>> = {
  'checkout.session.customer': ['customers'],
  'checkout.session.payment_intent': ['paymentIntents'],
  'checkout.session.setup_intent': ['setupIntents'],
  'balance_transaction.source': [
    'charges',
    'refunds',
    'disputes',
    'transfers',
    'transferReversals',
    'bankMovements',
  ],
  'charge.payment_intent': ['paymentIntents'],
  'dispute.charge': ['charges'],
  'dispute.payment_intent': ['paymentIntents'],
  'payment_intent.customer': ['customers'],
  'payment_intent.latest_charge': ['charges'],
  'payment_intent.payment_method': ['paymentMethods'],
  'refund.charge': ['charges'],
  'refund.payment_intent': ['paymentIntents'],
  'setup_intent.payment_method': ['paymentMethods'],
  'transfer.destination': ['accounts'],
  'transfer.source_transaction': ['charges'],
};

function findIn(state: State, tables: readonly (keyof State)[], id: string): object | undefined {
  const table = tables.find((name) => Object.hasOwn(state[name] as object, id));
  return table && (state[table] as Readonly<Record<string, object>>)[id];
}

/** A copy of the object with what was asked for shown whole; null if such a field cannot be. */
export function expanded(state: State, object: object, [field = '', ...inner]: string[]): object | null {
  if (field === '') return object;
  if (Array.isArray(object)) {
    const all = object.map((one: object) => expanded(state, one, [field, ...inner]));
    return all.includes(null) ? null : all;
  }
  const known = (object as Record<string, unknown>)[field];
  const tables = TABLES[`${(object as { object?: string }).object}.${field}`];
  if (!tables && !(known && typeof known === 'object')) return null;
  if (known === null || known === undefined) return object;
  const whole = typeof known === 'string' ? findIn(state, tables ?? [], known) : (known as object);
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
