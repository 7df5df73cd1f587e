import { choicesOf } from '@agent-marketplace/core/kernel/operation/choices.ts';
import { type AnyOperation, isPublicRead } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathFields, pathOf, wireName } from './requests.ts';
import { goodRequest } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// A public read is never refused for what it does not know, whatever its parameters are.

let world: World;
beforeAll(async () => {
  world = await createWorld(ingressOperations);
});

const ALL: readonly AnyOperation[] = [...new Set([...apiOperations, ...ingressOperations])];
const reads = ALL.filter((operation) => isPublicRead(operation) && !operation.file);
const cases = (fieldsOf: (operation: AnyOperation) => Iterable<string>) =>
  reads.flatMap((operation) =>
    [...fieldsOf(operation)]
      .filter((field) => !pathFields(operation).includes(field))
      .map((field) => [operation.name, field, operation] as const),
  );

/** The good request of the operation, with more in its query string. */
async function read(operation: AnyOperation, query: string) {
  const { input } = await goodRequest(world, operation);
  const inPath = Object.fromEntries(pathFields(operation).map((field) => [field, input[field]]));
  const needed = Object.keys(input).filter((field) => !(field in inPath) && !isOptional(operation, field));
  const sent = new URLSearchParams(needed.map((field) => [wireName(operation, field), String(input[field])]));
  const path = pathOf(operation, inPath);
  const response = await world.market.request('GET', `${path}?${sent}&${query}`);
  const { body, text } = await readSigned(response);
  // The door itself is not here; what it would not have been asked is refused before that.
  if (response.status === 503 && ingressOperations.includes(operation)) return KNOWN;
  return { status: response.status, notice: body.notice, text };
}
const KNOWN = { status: 200, notice: 'The door was asked.', text: '' };

const isOptional = (operation: AnyOperation, field: string) =>
  operation.input.shape[field].safeParse(undefined).success;

describe('a parameter that is sent with two values is as if it were left out', () => {
  it.each(cases(({ input }) => Object.keys(input.shape)).filter(([, field, one]) => isOptional(one, field)))(
    '%s: %s',
    async (_, field, operation) => {
      const name = wireName(operation, field);
      const { status, notice, text } = await read(operation, `${name}=1&${name}=2&${name}=1`);
      expect([status, typeof notice], text).toEqual([operation.http.status, 'string']);
    },
  );
});

describe('a word that a choice does not have is as if none had been chosen', () => {
  it.each(cases(choicesOf).filter(([, field, one]) => isOptional(one, field)))(
    '%s: %s',
    async (_, field, operation) => {
      const { status, notice, text } = await read(operation, `${wireName(operation, field)}=no-such-word`);
      expect([status, typeof notice], text).toEqual([operation.http.status, 'string']);
    },
  );
});

it('a parameter that is not known may be sent as often as one likes', async () => {
  for (const operation of reads) {
    const { status, text } = await read(operation, 'no_such=1&no_such=2&no_such=3');
    expect(status, `${operation.name}: ${text}`).toBe(operation.http.status);
  }
});

it('a page size above the largest is the largest', async () => {
  const paged = reads.filter((operation) => 'limit' in operation.input.shape);
  expect(paged.length).toBeGreaterThan(5);
  for (const operation of paged) {
    const { status, text } = await read(operation, 'limit=100000');
    expect(status, `${operation.name}: ${text}`).toBe(operation.http.status);
  }
});

it('the occupancy of a vertical that cannot be is nobody', async () => {
  const response = await world.market.request(
    'GET',
    '/ingress/occupancy?vertical=No%20such&side=x&class=GUEST&class=x',
  );
  const { body, text } = await readSigned(response);
  expect([response.status, body.live_counterparties, typeof body.notice], text).toEqual([200, 0, 'string']);
});
