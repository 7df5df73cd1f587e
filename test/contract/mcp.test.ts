import { type AnyOperation, isPublicRead } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { schemaFaults } from '@agent-marketplace/core/testing/fixtures/schema-faults.ts';
import { createMcpFace, type ToolAnswer } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { describeTool } from '@agent-marketplace/core/transport/mcp/describe-tool.ts';
import { argumentNames, type ToolOperation } from '@agent-marketplace/core/transport/mcp/names.ts';
import { shortAnswer } from '@agent-marketplace/core/transport/mcp/short-answer.rules.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { type Sent, send, wireName } from './requests.ts';
import { restPaths, withToolNames } from './tool-names.ts';
import { expectNothingWritten, goodRequest } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// REST and MCP are two ways to say the same: every operation that has both is asked by both.

let world: World;
let face: ReturnType<typeof createMcpFace>;
beforeAll(async () => {
  world = await createWorld();
  face = createMcpFace(world.market);
});

const shared = (mcpOperations as readonly ToolOperation[]).map(
  (operation) => [operation.mcp.tool, operation] as const,
);
const reads = shared.filter(([, { http }]) => http.method === 'get');
const changes = shared.filter(([, { http }]) => http.method !== 'get');
const withKey = shared.filter(([, { auth }]) => auth === 'agent' || auth === 'seller');

/** The same input by a tool's argument names; a key goes along as an argument. */
async function callTool(operation: ToolOperation, { input, extra = {}, apiKey }: Sent): Promise<ToolAnswer> {
  const { toWire } = argumentNames(operation);
  const named = Object.entries(input).map(([field, value]) => [toWire(field), value]);
  const args = {
    ...Object.fromEntries(named),
    ...extra,
    ...(apiKey === undefined ? {} : { api_key: apiKey }),
  };
  const answer = await face.callTool(operation.mcp.tool, args);
  const faults = schemaFaults(describeTool(operation, false).outputSchema, answer.structuredContent);
  expect(faults, operation.mcp.tool).toEqual([]);
  expect(restPaths(answer.structuredContent), operation.mcp.tool).toEqual([]);
  return answer;
}

async function both(operation: ToolOperation, rest: Sent, tool: Sent) {
  const response = await send(world.market, operation, rest);
  const { body } = await readSigned(response);
  const answer = await callTool(operation, tool);
  const signed = await readSigned(new Response(JSON.stringify(answer.structuredContent)));
  return {
    rest: { body, refused: !response.ok },
    tool: { body: signed.body, refused: answer.isError === true },
  };
}

/** What a tool declares to leave out of its answer is left out; everything else is the answer of REST. */
function ofTool({ mcp }: ToolOperation, body: Body): Body {
  const answered = shortAnswer(withToolNames(body), mcp.answer ?? {}, null) as Body;
  for (const { member } of mcp.answer?.lists ?? []) {
    const [rows, all] = [idsIn(answered[member]), idsIn(body[member])];
    expect(rows).toEqual(all.slice(0, rows.length));
  }
  return answered;
}

type Body = Record<string, unknown>;
const idsIn = (rows: unknown) => (rows as { id?: string }[]).map(({ id }) => id);

describe('an operation answers the same over REST and as a tool', () => {
  clause('service.mcp-same');
  it.each(reads)('%s: to the letter', async (_, operation) => {
    const good = await goodRequest(world, operation);
    const { rest, tool } = await both(operation, good, good);
    expect(rest.refused, JSON.stringify(rest.body)).toBe(false);
    expect(tool).toEqual({ ...rest, body: ofTool(operation, rest.body) });
  });

  clause('service.mcp-same');
  it.each(changes)('%s: but for what is new each time', async (_, operation) => {
    const [one, other] = [await goodRequest(world, operation), await goodRequest(world, operation)];
    const { rest, tool } = await both(operation, one, other);
    expect(rest.refused, JSON.stringify(rest.body)).toBe(false);
    expect(tool.refused, JSON.stringify(tool.body)).toBe(false);
    expect(alike(tool.body)).toEqual(alike(ofTool(operation, rest.body)));
  });
});

describe('and is refused the same', () => {
  /** The problem as its reader sees it, with fields by the operation's own names. */
  function problemOf(body: Record<string, unknown>, toField: (wire: string) => string) {
    const { requestId, errors, ...problem } = body;
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    const named = (errors as { path: string; message: string }[] | undefined)?.map(({ path, message }) => {
      const [field = '', ...deeper] = path.split('.');
      return { message, path: [toField(field), ...deeper].join('.') };
    });
    return { ...problem, errors: named };
  }

  async function refusedAlike(
    operation: ToolOperation,
    vary: (good: Sent) => Sent,
    code?: string,
  ): Promise<void> {
    const sent = vary(await goodRequest(world, operation));
    await expectNothingWritten(world, async () => {
      const { rest, tool } = await both(operation, sent, sent);
      expect([rest.refused, tool.refused], JSON.stringify(rest.body)).toEqual([true, true]);
      if (code !== undefined) expect(rest.body.code).toBe(code);
      const fields = Object.keys(operation.input.shape);
      const { toWire } = argumentNames(operation);
      const ofTool = (wire: string) => fields.find((field) => toWire(field) === wire) ?? wire;
      const ofRest = (wire: string) => fields.find((field) => wireName(operation, field) === wire) ?? wire;
      expect(problemOf(tool.body, ofTool)).toEqual(problemOf(withToolNames(rest.body), ofRest));
    });
  }

  const strict = shared.filter(([, operation]) => !isPublicRead(operation));
  it.each(strict)('%s: for a field that nobody knows', (_, operation) =>
    refusedAlike(operation, (good) => ({ ...good, extra: { not_a_field: 'x' } }), 'validation_failed'),
  );

  clause(
    'tool.sell-data',
    'tool.get-purchase',
    'tool.update-listing',
    'tool.deactivate-listing',
    'tool.seller-dashboard',
    'tool.get-wallet-balance',
  );
  it.each(withKey)('%s: without a key', (_, operation) =>
    refusedAlike(operation, ({ apiKey: _key, ...good }) => good, 'missing_api_key'),
  );

  it.each(strict.filter(([, { auth }]) => auth !== 'none'))('%s: with an unknown key', (_, operation) =>
    refusedAlike(operation, (good) => ({ ...good, apiKey: 'mkt_live_nobody' }), 'invalid_api_key'),
  );

  const withPath = shared.filter(([, { http }]) => http.path.includes('{'));
  it.each(withPath)('%s: for what does not exist', (_, operation) =>
    refusedAlike(operation, ({ input, ...good }) => ({ ...good, input: withUnknownIds(operation, input) })),
  );

  const inBody = changes.filter(([, operation]) => textFields(operation).length > 0);
  it.each(inBody)('%s: for a text that is a number', (_, operation) =>
    refusedAlike(
      operation,
      ({ input, ...good }) => ({ ...good, input: { ...input, [textFields(operation)[0] ?? '']: 7 } }),
      'validation_failed',
    ),
  );
});

function withUnknownIds({ http }: AnyOperation, input: Record<string, unknown>): Record<string, unknown> {
  const inPath = Object.entries(http.names ?? {}).filter(([, wire]) => http.path.includes(`{${wire}}`));
  return { ...input, ...Object.fromEntries(inPath.map(([field]) => [field, crypto.randomUUID()])) };
}

/** Fields of the body that take text and no number. */
function textFields({ input, http }: AnyOperation): string[] {
  return Object.entries(input.shape as Record<string, Parser>)
    .filter(([field]) => !http.path.includes(`{${http.names?.[field] ?? field}}`))
    .filter(([, schema]) => schema.safeParse('some text').success && !schema.safeParse(7).success)
    .map(([field]) => field);
}

interface Parser {
  safeParse(value: unknown): { success: boolean };
}

/** Ids, times, keys and signatures differ from call to call; everything else must not. */
function alike(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/sha256:[0-9a-f]{64}/g, '<digest>')
    .replaceAll(/"salt":"[0-9a-f]{32}"/g, '"salt":"<salt>"')
    .replaceAll(/mkt_live_[0-9A-Za-z]{43}/g, '<key>')
    .replaceAll(/\b(agent|seller|buyer)-[0-9a-f]{6,8}/g, '<$1>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    // Hosted pages of the card processor.
    .replaceAll(/https:\/\/(checkout|connect)\.test\/\w+/g, '<page>')
    .replaceAll(/"[\w-]{86}"/g, '"<signature>"');
  return JSON.parse(text);
}
