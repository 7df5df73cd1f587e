import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { eraseAuditTexts } from '@agent-marketplace/core/db/audit-trail.ts';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import { takeOffMarket } from '@agent-marketplace/core/listings/index.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { erasureDigest } from '@agent-marketplace/core/privacy/erasure/erasure-digest.ts';
import { eraseHeldRows } from '@agent-marketplace/core/privacy/held/held-rows.store.ts';
import { changedInput, type InputPart, inputParts } from '@agent-marketplace/core/testing/input-parts.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/mcp-face.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/query-marketplace.ts';
import { testBindings } from '@agent-marketplace/core/testing/workers-bindings.ts';
import { argumentNames, type ToolOperation } from '@agent-marketplace/core/transport/mcp/names.ts';
import { expect, it } from 'vitest';
import { NO_TEXT } from './fields.data.ts';
import { send } from './requests.ts';
import { goodRequest } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// A mark in every text that a person can send, by the schemas of all operations, over REST and as a tool, with a payment
// and without a key. Then everybody is erased, and all storage is searched for the marks.

/** No part of a text that anything else writes. */
const MARK = 'zqmark';
const YEAR_MS = 366 * DAY_MS;

/** Where a text may be anything, as far as its schema tells. */
const isText = ({ schema: { type, enum: values, const: one, format = '', pattern } }: InputPart) =>
  type === 'string' &&
  values === undefined &&
  one === undefined &&
  pattern === undefined &&
  !/uuid|date/.test(format);

/** Any JSON: a query, a preview, an answer. */
const isOpen = ({ schema: { type, properties, additionalProperties: rest } }: InputPart) =>
  type === 'object' &&
  properties === undefined &&
  (typeof rest !== 'object' || Object.keys(rest).length === 0);

const AT_MOST_OF_TEXT = 60;

function markedValue({ path, schema }: InputPart, mark: string): unknown {
  if (schema.type === 'object') return { [mark]: mark };
  if (path.at(-1) === 'callbackUrl') return `http://localhost:9/${mark}`;
  if (schema.format === 'email') return `${mark}@example.com`;
  if (schema.format === 'uri') return `https://${mark}.example.com/`;
  if (path.at(-1) === 'contentBase64') return btoa(mark);
  const most = Math.min(schema.maxLength ?? AT_MOST_OF_TEXT, AT_MOST_OF_TEXT);
  return mark
    .padEnd(Math.max(schema.minLength ?? 0, mark.length), ' x')
    .slice(0, Math.max(most, mark.length));
}

interface Entry {
  readonly name: string;
  readonly operation: AnyOperation;
  readonly part: InputPart;
  readonly mark: string;
}

/** What operators write is the marketplace's own. */
const isOfPeople = ({ auth }: AnyOperation) => auth !== 'operator';

const ENTRIES: readonly Entry[] = apiOperations.filter(isOfPeople).flatMap((operation) =>
  inputParts(operation)
    .filter((part) => isText(part) || isOpen(part))
    .map((part, at) => ({
      name: `${operation.name}.${part.path.join('.')}`,
      operation,
      part,
      mark: `${MARK}${operation.name.toLowerCase()}${at}q`.slice(0, 30),
    })),
);

async function placesOf(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const database of [testBindings.DB, testBindings.SEARCH]) {
    const tables = await database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all<{ name: string }>();
    for (const { name: table } of tables.results) {
      const columns = await database
        .prepare('SELECT name FROM pragma_table_xinfo(?)')
        .bind(table)
        .all<{ name: string }>();
      for (const { name } of columns.results) {
        const sql = `SELECT 1 FROM ${table} WHERE instr(CAST("${name}" AS TEXT), ?) > 0 LIMIT 1`;
        if (await database.prepare(sql).bind(text).first()) found.push(`${table}.${name}`);
      }
    }
  }
  return found.sort();
}

async function everybody(): Promise<string[]> {
  const { results } = await testBindings.DB.prepare('SELECT id FROM agents').all<{ id: string }>();
  return results.map(({ id }) => id);
}

const FILE = { filename: 'map.txt', contentType: 'text/plain', contentBase64: btoa('A map.') };

async function requestWith(world: World, { operation, part, mark }: Entry) {
  const good = await goodRequest(world, operation);
  const whole = part.path[0] === 'attachments' ? { ...good.input, attachments: [FILE] } : good.input;
  return { ...good, input: changedInput(operation, whole, part.path, () => markedValue(part, mark)) };
}

async function enterAsTool(
  world: World,
  face: ReturnType<typeof createMcpFace>,
  entry: Entry,
): Promise<void> {
  const operation = entry.operation as ToolOperation;
  const { input, apiKey } = await requestWith(world, { ...entry, mark: `${entry.mark}t` });
  const { toWire } = argumentNames(operation);
  const named = Object.fromEntries(Object.entries(input).map(([field, value]) => [toWire(field), value]));
  await face.callTool(operation.mcp.tool, { ...named, ...(apiKey === undefined ? {} : { api_key: apiKey }) });
}

/** What stays, one by one. */
const STAYS = {
  'what was published and signed': [
    'listings.context_tags',
    'listings.demographics',
    'listings.description',
    'listings.example_query',
    'listings.images',
    'listings.input_schema',
    'listings.output_schema',
    'listings.preview',
    'listings.subcategory',
    'listings.title',
  ],
  'consents, for 6 years': ['health_consents.signer_legal_name'],
  'what nobody with an account sent, until its time is over': [
    'ideas.category',
    'ideas.description',
    'ideas.impact',
    'ideas.submitted_by',
    'ideas.title',
    'inquiries.category',
    'inquiries.email',
    'inquiries.name',
    'inquiries.subject',
    'inquiries.submitted_by',
    'inquiry_attachments.filename',
    'inquiry_messages.author_name',
    'inquiry_messages.body',
  ],
} as const;

it('a mark in every text that a person can send is in no storage after an erasure, but for the exceptions', async () => {
  const world = await createWorld();
  const face = createMcpFace(world.market);
  const tools = new Set((mcpOperations as readonly ToolOperation[]).map(({ name }) => name));
  const refused: string[] = [];
  for (const entry of ENTRIES) {
    const sent = await requestWith(world, entry);
    if ((await send(world.market, entry.operation, sent)).status >= 300) refused.push(entry.name);
    if (tools.has(entry.operation.name)) await enterAsTool(world, face, entry);
  }
  const x402 = createQueryMarketplace();
  const listing = await x402.sales.listing({ priceCents: 5 });
  const parameters = `?note=${MARK}x402`;
  const payment = await x402.pay(x402.newPayer(), listing.id, 2, { parameters });
  expect((await x402.query(listing.id, payment, parameters)).status).toBe(200);
  await world.market.background.settled();
  // What is only compared, called or cleaned may refuse a mark; any other text has to take it.
  expect(refused.filter((name) => !Object.hasOwn(NO_TEXT, name))).toEqual([]);
  expect(ENTRIES.length - refused.length).toBeGreaterThan(60);
  expect((await placesOf(MARK)).length).toBeGreaterThan(40);

  const ports = world.market.newPorts();
  const ids = await everybody();
  for (const id of ids) {
    while (await takeOffMarket(ports, id, 'The account is to be erased.'));
    await ports.market.commit(eraseHeldRows(id, await erasureDigest(id)));
  }
  await ports.market.commit([eraseAuditTexts(ids.map((id) => ({ type: 'agent', id })))]);
  world.market.clock.advance(2 * DAY_MS);
  await runEveryMinute(world.market.newPorts());
  const stays = [...STAYS['what was published and signed'], ...STAYS['consents, for 6 years']];
  expect(await placesOf(MARK)).toEqual(
    [...stays, ...STAYS['what nobody with an account sent, until its time is over']].sort(),
  );
  for (let year = 0; year < 3; year += 1) {
    world.market.clock.advance(YEAR_MS);
    await runEveryMinute(world.market.newPorts());
  }
  expect(await placesOf(MARK)).toEqual(stays.sort());
  const objects = [...world.market.attachments.objects.values()].map((bytes) =>
    new TextDecoder().decode(bytes),
  );
  const elsewhere = [objects, world.market.log.lines, world.market.jobs.sent, [...x402.claims.claims]];
  for (const place of elsewhere) expect(JSON.stringify(place)).not.toContain(MARK);
}, 240_000);
