import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import {
  type OperationExample,
  operationExamples,
} from '@agent-marketplace/core/transport/openapi/examples.ts';
import { wireFields } from '@agent-marketplace/core/transport/openapi/fields.ts';
import { inputSchema } from '@agent-marketplace/core/transport/openapi/json-schema.ts';
import { printJson } from '@agent-marketplace/devkit/generate/print-json.ts';
import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import { expect, it, vi } from 'vitest';
import { goodRequest, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// The examples of the OpenAPI documents are exchanges with a marketplace. `RECORD=1 vitest run --project node
// test/contract/recorded-examples.test.ts` records them anew, and `pnpm generate` puts them into the documents, where
// `check:openapi` compares each with its schema.

const FILE = join(import.meta.dirname, '../../packages/core/src/transport/openapi/examples.json');

/** What a schema alone tells is `x`; a reader of an example wants to see what is meant. */
const READABLE: Readonly<Record<string, string>> = {
  name: 'Tide watcher',
  reason: 'Not what was described.',
  text: 'Is the table of Brest in UTC?',
  message: 'Is the table of Brest in UTC?',
  idea: 'A vertical for tide gauges.',
  title: 'Tide tables of Brest',
  description: 'High and low water, computed.',
};

/** Where the contract suite's own request would show less: a purchase that costs something. */
const INSTEAD: Readonly<Record<string, (world: World) => Promise<Record<string, unknown>>>> = {
  purchaseListing: async (world) => ({
    listingId: await world.newListing({ priceCents: 250, title: 'Tide tables of Saint-Malo' }),
    maxPriceCents: 250,
    paymentMethod: 'wallet',
  }),
  getPurchase: async (world) => ({
    purchaseId: (await world.newSale({ title: 'Tide tables of Roscoff' })).purchaseId,
  }),
};

/** They answer from a Worker of their own, or with a payment on chain: the contract suite has no such world. */
const NOT_RECORDED = documentedOperations
  .filter((one) => !apiOperations.includes(one))
  .map(({ name }) => name);

const recordable = apiOperations.filter(({ file }) => file === undefined);

it.runIf(process.env.RECORD === '1')(
  'are recorded',
  async () => {
    // What is random stays as it was, so that a diff shows what changed; in letters, of which titles are made.
    let count = 0;
    const letters = () =>
      (++count)
        .toString(6)
        .padStart(8, '0')
        .replaceAll(/./g, (digit) => 'abcdef'[Number(digit)] ?? '');
    vi.spyOn(crypto, 'randomUUID').mockImplementation(() => `${letters()}-0000-4000-9000-000000000000`);
    const world = await createWorld();
    const recorded: Record<string, OperationExample> = {};
    for (const operation of recordable) recorded[operation.name] = await record(world, operation);
    writeFileSync(FILE, `${printJson(recorded)}\n`);
  },
  300_000,
);

it('are there for every operation that answers JSON', () => {
  const expected = recordable.map(({ name }) => name).sort();
  expect(Object.keys(operationExamples).sort(), 'record them anew: see above').toEqual(expected);
  expect(NOT_RECORDED.length).toBeLessThan(10);
});

it('hold no secret, and are short', () => {
  for (const [name, example] of Object.entries(operationExamples)) {
    const text = JSON.stringify(example);
    expect(text.match(SECRETS)?.filter((found) => !found.endsWith('example')) ?? [], name).toEqual([]);
    expect(text.length, name).toBeLessThan(12_000);
  }
});

const SECRETS = /mkt_(?:live|op)_\w+/g;

async function record(world: World, operation: AnyOperation): Promise<OperationExample> {
  const good = await goodRequest(world, operation);
  const readable = Object.entries(good.input).map(([field, value]) => [
    field,
    typeof value === 'string' && /^x+$/.test(value) ? (READABLE[field] ?? value) : value,
  ]);
  const input = { ...Object.fromEntries(readable), ...(await INSTEAD[operation.name]?.(world)) } as Record<
    string,
    unknown
  >;
  const { status, body, provenance, text } = await tryOperation(world, operation, { ...good, input });
  expect([operation.name, status], text).toEqual([operation.name, operation.http.status]);
  const fields = wireFields(operation, inputSchema(operation, {}));
  const sent = Object.entries(input).flatMap(([name, value]) => {
    const field = fields.find((one) => one.field === name);
    return field && value !== undefined ? [{ ...field, value }] : [];
  });
  const at = (isInBody: boolean) =>
    Object.fromEntries(
      sent
        .filter((one) => (one.in === 'body') === isInBody)
        .map(({ wire, value }) => [wire, withoutSecrets(value as Json, wire)]),
    );
  return {
    parameters: at(false),
    body: at(true),
    answer: shortened(withoutSecrets({ ...body, provenance } as Json, '')) as OperationExample['answer'],
  };
}

/** The first item of each list. */
function shortened(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}

/** Keys, and what opens something by being known. */
function withoutSecrets(value: Json, name: string): Json {
  if (typeof value === 'string') {
    if (/(?:token|secret)$/i.test(name) && value.length > 8) return 'example-token';
    return value
      .replaceAll('http://localhost/', 'https://marketplace.example/')
      .replaceAll('http://localhost:9/', 'https://seller.example/')
      .replaceAll('localhost wants', 'marketplace.example wants')
      .replaceAll(SECRETS, (found) => `${found.slice(0, found.indexOf('_', 4))}_example`)
      .replaceAll(/(\/(?:claim|purchases|payout-changes|recover|enrol)\/)[\w-]{20,}/g, '$1example-token')
      .replaceAll(/([?#&](?:token|key)=)[\w.-]+/g, '$1example-token');
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, withoutSecrets(inner, member)]),
  );
}
