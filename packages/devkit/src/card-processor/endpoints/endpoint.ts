import type { FormHash } from '../form.ts';
import { badParam } from '../problem.ts';
import type { World } from '../world.ts';
import { expand, params, positive, type Rule, text } from './params.ts';

/** One endpoint of the API. `:id` in its path is handed on. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Reads the parameters, and returns what then does the work. */
  prepare(form: FormHash): (world: World, id: string) => object;
}

export function endpoint<P>(
  method: Endpoint['method'],
  path: string,
  read: (form: FormHash) => P,
  handle: (world: World, params: P, id: string) => object,
): Endpoint {
  return {
    method,
    path,
    prepare: (form) => {
      const input = read(form);
      return (world, id) => handle(world, input, id);
    },
  };
}

/** Of endpoints that take nothing else. */
export const noParams = params({}, { expand });

const limit: Rule<number> = (value, at) => {
  const count = positive(value, at);
  if (count > 100) throw badParam('This value must be less than or equal to 100.', at);
  return count;
};

/** Of every list. */
export const paging = { limit, starting_after: text(), expand };
