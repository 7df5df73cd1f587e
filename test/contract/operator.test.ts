import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { openApiDocument } from '@agent-marketplace/core/transport/openapi/document.ts';
import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { hasBody, pathFields, type Sent, send } from './requests.ts';
import { expectNothingWritten, goodRequest, sharedRequest, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// What is the operator's alone, and nobody else's: by where it lies, so that a new operation is covered by lying there.

const everything = [...apiOperations, ...ingressOperations, ...x402Operations];
const isAdmin = ({ http }: AnyOperation) => /^\/admin(?:\/|$)/.test(http.path);
const admin = everything.filter(isAdmin).map((operation) => [operation.name, operation] as const);

let world: World;
/** The same market at a deployment whose secret was never set. */
let secretless: World;
beforeAll(async () => {
  world = await createWorld();
  secretless = { ...world, market: createTestMarketplace({ variables: { ADMIN_SECRET: '' } }) };
});

/** What they are about is new, or has no state of its own. */
const NOTHING_BEFORE: ReadonlySet<string> = new Set([
  'adjustLedger',
  'createOperator',
  'rebuildSearchIndex',
  'recordAffiliatedReceipt',
  // Its subject is all accounts.
  'replayErasures',
]);

/** What the audit chain says, the latest last. */
async function auditEntries(): Promise<unknown[]> {
  const rows = await testBindings.DB.prepare('SELECT statement FROM operator_actions ORDER BY sequence').all<{
    statement: string;
  }>();
  return rows.results.map(({ statement }) => JSON.parse(statement) as unknown);
}

describe('what lies under /admin', () => {
  it('is declared to be the operator’s, and nothing else is', () => {
    expect(admin.length).toBeGreaterThan(10);
    const declared = everything.filter(({ auth }) => auth === 'operator');
    expect(declared.map(({ name }) => name)).toEqual(admin.map(([name]) => name));
  });

  it('declares the least role of an operator who may call, and viewers change nothing but their own secret', () => {
    const leastRoles = admin.map(([name, { leastRole, replay }]) => ({
      name,
      leastRole,
      changes: replay !== undefined,
    }));
    expect(leastRoles.filter(({ leastRole }) => leastRole === undefined)).toEqual([]);
    const changing = leastRoles.filter(({ leastRole, changes }) => changes && leastRole === 'viewer');
    expect(changing.map(({ name }) => name)).toEqual(['rotateOperatorSecret']);
  });

  it('is no tool', async () => {
    const { tools } = await createMcpFace(world.market).ask<{ tools: { name: string }[] }>('tools/list');
    expect(tools.map(({ name }) => name)).toEqual(mcpOperations.map(({ mcp }) => mcp?.tool));
    expect(mcpOperations.filter(isAdmin)).toEqual([]);
    expect(admin.filter(([, { mcp }]) => mcp !== undefined)).toEqual([]);
  });

  it.each(admin)('%s: says in OpenAPI what it needs', (_, operation) => {
    const { paths, components } = openApiDocument([operation], { baseUrl: 'https://market.example/api' });
    const documented = paths[operation.http.path]?.[operation.http.method] as Record<string, unknown>;
    expect(documented.security).toEqual([{ operator: [] }]);
    expect(JSON.stringify([documented.parameters, documented.requestBody])).not.toContain('api_key');
    expect(components.securitySchemes).toMatchObject({
      operator: { type: 'apiKey', in: 'header', name: BRAND.header.admin },
    });
    expect(documented.responses).toHaveProperty('403');
  });

  it.each(admin)('%s: is open to the operator', async (_, operation) => {
    const good = await goodRequest(world, operation);
    const before = await auditEntries();
    const { status, text } = await tryOperation(world, operation, good);
    expect(status, text).toBe(operation.http.status);
    const after = await auditEntries();
    expect(after.length - before.length, 'what changes something declares `audit`').toBe(
      operation.replay === undefined && operation.audit === undefined ? 0 : 1,
    );
    if (operation.audit === undefined) return;
    expect(after.at(-1)).toMatchObject({ operation: operation.name, operator: 'operator' });
    if (operation.replay === undefined) return;
    const row = await testBindings.DB.prepare(
      'SELECT texts FROM audit_texts ORDER BY sequence DESC LIMIT 1',
    ).first<{ texts: string }>();
    const texts = JSON.parse(row?.texts ?? '{}') as { before?: unknown; after?: unknown };
    expect(texts.after, 'what became of it: the outcome of `commit`, or `audited.after`').not.toBeNull();
    if (NOTHING_BEFORE.has(operation.name)) return;
    expect(texts.before, 'the state of the subject, from db/audited-state.ts').not.toBeNull();
  });
});

/** Everything but the secret. */
const STRANGERS: readonly (readonly [who: string, headers: Record<string, string>])[] = [
  ['no header', {}],
  ['an empty header', { [BRAND.header.admin]: '' }],
  ['another secret', { [BRAND.header.admin]: 'wrong' }],
  ['the start of the secret', { [BRAND.header.admin]: TEST_ADMIN_SECRET.slice(0, -1) }],
  ['more than the secret', { [BRAND.header.admin]: `${TEST_ADMIN_SECRET}x` }],
  ['the secret in capitals', { [BRAND.header.admin]: TEST_ADMIN_SECRET.toUpperCase() }],
  ['the secret as an API key', { authorization: `Bearer ${TEST_ADMIN_SECRET}` }],
];

/** Requests that would be answered, and ones that would be refused for what they are. */
function bodies(operation: AnyOperation, good: Sent): Sent[] {
  const { headers: _secret, ...rest } = good;
  const inPath = pathFields(operation).map((field) => [field, good.input[field]]);
  return [rest, { ...rest, extra: { not_a_field: 'x' } }, { ...rest, input: Object.fromEntries(inPath) }];
}

async function expectClosed(
  at: World,
  operation: AnyOperation,
  headers: Record<string, string>,
  good: Sent,
): Promise<void> {
  for (const sent of bodies(operation, good)) {
    const tried = await tryOperation(at, operation, { ...sent, headers });
    expect([tried.status, tried.code, tried.named], tried.text).toEqual([403, 'admin_required', []]);
  }
  if (!hasBody(operation)) return;
  const path = operation.http.path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-00000000abcd');
  const unreadable = [
    { body: '{"', headers: { ...headers, 'content-type': 'application/json' } },
    { body: 'x', headers: { ...headers, 'content-type': 'text/plain' } },
    { body: `{"a":"${'x'.repeat(1_100_000)}"}`, headers: { ...headers, 'content-type': 'application/json' } },
  ];
  for (const request of unreadable) {
    const response = await at.market.request(operation.http.method.toUpperCase(), path, request);
    const { body } = await readSigned(response);
    expect([response.status, body.code]).toEqual([403, 'admin_required']);
  }
}

clause('authentication.8-admin');
describe.each(STRANGERS)('with %s it is refused, whatever is sent, and nothing changes', (_, headers) => {
  it.each(admin)('%s', async (_name, operation) => {
    const good = await sharedRequest(world, operation);
    await expectNothingWritten(world, () => expectClosed(world, operation, headers, good));
  });
});

clause('authentication.8-admin');
describe('where no secret is set, there is no way in but for operators that were made before', () => {
  it.each(admin)('%s', async (_, operation) => {
    const good = await sharedRequest(world, operation);
    await expectNothingWritten(world, async () => {
      for (const [, headers] of STRANGERS) await expectClosed(secretless, operation, headers, good);
      for (const secret of [TEST_ADMIN_SECRET, 'undefined', 'null', 'false']) {
        await expectClosed(secretless, operation, { [BRAND.header.admin]: secret }, good);
      }
    });
  });
});

describe('a stranger', () => {
  const changes = admin.filter(([, { replay }]) => replay !== undefined);

  it.each(changes)('%s: does not get the recorded answer by the Idempotency-Key', async (_, operation) => {
    const good = await goodRequest(world, operation);
    const key = { 'idempotency-key': `key-of-${operation.name}` };
    const first = await tryOperation(world, operation, { ...good, headers: { ...good.headers, ...key } });
    expect(first.status, first.text).toBe(operation.http.status);
    const again = await tryOperation(world, operation, { ...good, headers: { ...good.headers, ...key } });
    const replayed = operation.replay === 'refused' ? [409, null] : [first.status, 'true'];
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual(replayed);
    const stranger = await tryOperation(world, operation, { ...good, headers: key });
    expect([stranger.status, stranger.code]).toEqual([403, 'admin_required']);
  });

  it.each(admin)('%s: may not guess for ever', async (_, operation) => {
    const figures = { limit: 2, windowSeconds: 60 };
    const kinds = ['read', 'write', 'register', 'purchase', 'x402', 'inquiry'];
    const RATE_LIMITS = JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind, figures])));
    const market = createTestMarketplace({ variables: { RATE_LIMITS } });
    const guess = (secret: string) =>
      send(market, operation, {
        input: Object.fromEntries(pathFields(operation).map((field) => [field, 'x'])),
        headers: { [BRAND.header.admin]: secret },
      });
    const statuses = [];
    for (const secret of ['a', 'b', 'c', 'd']) statuses.push((await guess(secret)).status);
    expect(statuses).toEqual([403, 403, 429, 429]);
  });
});
