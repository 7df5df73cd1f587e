import { commonErrors, type ErrorDefinition, Refusal } from '@agent-marketplace/core/kernel/errors.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import {
  createTestMarketplace,
  TEST_BASE_URL,
} from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { problemBody } from '@agent-marketplace/core/transport/http/problem.ts';
import { createToolNamer } from '@agent-marketplace/core/transport/mcp/name-tools.ts';
import { argumentNames, type ToolOperation } from '@agent-marketplace/core/transport/mcp/names.ts';
import { pages } from '@agent-marketplace/site/pages.ts';
import { describe, expect, it } from 'vitest';
import { type NamingText, textsIn, textsThatNameOperations } from './operation-names.ts';
import { restPaths } from './tool-names.ts';

// Whoever calls tools is told of tools, by names that exist. What tools answer is looked through in mcp.test.ts.

const tools = mcpOperations as readonly ToolOperation[];
const toolNames = new Set(tools.map(({ mcp }) => mcp.tool));
const market = createTestMarketplace();
const face = createMcpFace(market);
const nameTools = createToolNamer(documentedOperations);
const baseUrl = TEST_BASE_URL;
const call = { requestId: 'r', baseUrl, renderText: (text: string) => nameTools(text, baseUrl) };

function problemsOf({ errors }: ToolOperation): Record<string, unknown>[] {
  const all: readonly ErrorDefinition[] = [...errors, ...Object.values(commonErrors)];
  return all.map((definition) => problemBody(new Refusal(definition), call) as Record<string, unknown>);
}

/** What a tool answers whose work ends with this refusal. */
async function answerOver(refusal: Refusal) {
  const about = tools.find(({ mcp }) => mcp.tool === 'about_marketplace') as ToolOperation;
  const handle = async () => {
    throw refusal;
  };
  const answer = await createMcpFace(market, { tools: [{ ...about, handle }] }).callTool('about_marketplace');
  expect([answer.isError, answer.structuredContent.code]).toEqual([true, refusal.definition.code]);
  return answer;
}

const refusedOverMcp = async (refusal: Refusal): Promise<Record<string, unknown>> =>
  (await answerOver(refusal)).structuredContent;

const definitions = new Map(
  [...tools.flatMap(({ errors }) => errors), ...Object.values(commonErrors)].map((one) => [one.code, one]),
);

describe('every error of a tool, answered over MCP', () => {
  it.each([...definitions])('%s', async (_, definition) => {
    expect(restPaths(await refusedOverMcp(new Refusal(definition)))).toEqual([]);
  });
});

/** Where a person lifts what an agent cannot. */
const LIFTED_ON: Readonly<Record<string, string>> = {
  missing_api_key: '/keys',
  invalid_api_key: '/recover',
  api_key_revoked: '/recover',
  api_key_expired: '/keys',
  scope_missing: '/keys',
  key_is_bounded: '/wallet',
  budget_exceeded: '/keys',
  seller_not_allowed: '/keys',
  vertical_not_allowed: '/keys',
  rail_not_allowed: '/keys',
  too_many_approvals: '/keys',
  buyer_limited: '/contact',
  agent_suspended: '/contact',
  account_erasing: '/account',
};
/** No page lifts these. */
const NOT_LIFTED: Readonly<Record<string, string>> = {
  admin_required: 'it is an operator’s',
  role_missing: 'it is an operator’s',
  approval_required: 'the answer itself has the page: `approvalUrl`',
  approval_declined: 'a person decided',
  collections_limited: 'time does',
  copy_holds_limited: 'collecting does, which is a tool',
  daily_limit_reached: 'midnight does',
  health_declaration_rejected: 'an operator decided, and hears of it as of every inquiry',
  mailbox_busy: 'time does, or a payment to the recipient',
  not_a_seller: 'a tool makes it one',
  not_listing_owner: 'it is somebody else’s',
  not_purchase_owner: 'it is somebody else’s',
  own_listing: 'nobody buys from itself',
  own_subject: 'nobody reports itself',
  purchase_link_expired: 'the key opens the purchase',
  rate_limited: 'time does',
  smoke_test_isolated: 'it moves no money',
  subsidy_spent: 'another rail does',
};

describe('a refusal of a tool because of who asks, or how often', () => {
  const ofCaller = [...definitions.values()].filter(
    ({ kind }) => kind === 'forbidden' || kind === 'unauthenticated' || kind === 'rate_limited',
  );

  it('names the page where a person lifts it, or is known to have none', async () => {
    const known = { ...LIFTED_ON, ...NOT_LIFTED };
    expect(ofCaller.map(({ code }) => code).filter((code) => !Object.hasOwn(known, code))).toEqual([]);
    for (const definition of ofCaller) {
      const path = LIFTED_ON[definition.code];
      if (path === undefined) continue;
      expect(pages.map((page) => page.path)).toContain(path);
      const [{ text } = { text: '' }] = (await answerOver(new Refusal(definition))).content;
      expect(text, definition.code).toContain(` ${new URL(baseUrl).origin}${path}`);
    }
  });

  it('has the page of an approval, and the budget, in its text', async () => {
    const approvalUrl = `${new URL(baseUrl).origin}/approvals/1`;
    const budget = { period: 'week', limitCents: 2000, leftCents: 400, endsAt: null };
    const refusal = new Refusal(commonErrors.scope_missing, { approvalUrl, budget } as never);
    const [{ text } = { text: '' }] = (await answerOver(refusal)).content;
    expect(text).toContain(`approvalUrl: ${approvalUrl}`);
    expect(text).toContain('leftCents');
  });
});

/** Around a text that is rewritten wherever it is answered: in an error, or in what describes an operation. */
const REWRITTEN = ['defineErrors()', 'Refusal()', 'invalidField()', '.refine()', '.describe()'];
const DESCRIBED = ['summary:', 'description:'];

function isRewritten({ around }: NamingText): boolean {
  if (around.some((place) => REWRITTEN.includes(place))) return true;
  const ofOperation = around.slice(around.indexOf('defineOperation()') + 1);
  return (
    around.includes('defineOperation()') &&
    !ofOperation.includes('function') &&
    DESCRIBED.includes(ofOperation.at(-1) ?? '')
  );
}

/** Files with other texts that name operations, by who reads them. */
const READERS = {
  'members of answers that `ownTexts` names': ['about/about-marketplace.ts', 'demand/demand-texts.ts'],
  'the instructions of the MCP server': ['transport/documents/about.ts'],
  'readers of the OpenAPI documents, which are of REST': ['transport/openapi/document.ts'],
  'operations that are asked over REST only': ['ingress/get-door.ts', 'ingress/get-ingress-keys.ts'],
  'people, in a mail': [
    'agents/email/account-mail.rules.ts',
    'purchases/receipt-mail.rules.ts',
    'selling/notices/notice-mail.rules.ts',
  ],
  'endpoints of sellers, and those who poll, which is REST': ['delivery/seller-messages.rules.ts'],
  'whole URLs are made of them': [
    'disputes/evidence/evidence.schema.ts',
    'inquiries/inquiry-view.rules.ts',
    'kernel/documents/standard-documents.ts',
    'listings/get-listing-history.ts',
    'listings/tools/brief-listing.rules.ts',
    'purchases/purchase-listing.ts',
    'purchases/purchases.schema.ts',
    'payouts/payout-challenge.rules.ts',
    'stats/get-broadcast.ts',
    'x402/payer/payer-challenge.rules.ts',
    'x402/query-terms.ts',
  ],
  'paths that are members by themselves': [
    'listings/get-listing.ts',
    'listings/listing-view.rules.ts',
    'transport/documents/index.ts',
  ],
} as const;

describe('a text in the code that names an operation', async () => {
  const texts = (await textsThatNameOperations()).filter(({ around }) => !around.includes('http:'));

  it('is rewritten where it is answered, or named in READERS with who reads it', () => {
    const files = texts.filter((one) => !isRewritten(one)).map(({ file }) => file);
    expect([...new Set(files)].sort()).toEqual(Object.values(READERS).flat().sort());
  });

  it.each(texts.filter(isRewritten).map(({ file, text }) => [file, text]))(
    '%s: names it by its tool or whole URL over MCP: %s',
    async (_, text) => {
      const fields = [{ path: 'q', message: text }];
      const refusal = new Refusal(
        { ...commonErrors.validation_failed, title: text },
        { detail: text, fields },
      );
      const problem = await refusedOverMcp(refusal);
      expect(restPaths(problem)).toEqual([]);
      expect(problem).toMatchObject({
        detail: nameTools(text, baseUrl),
        errors: [{ message: problem.detail }],
      });
    },
  );

  it('is found wherever it stands', () => {
    const source = `
      const NOTE = 'Ask with ' + 'GET /verticals.';
      const refuse = (id: string) => new Refusal(errors.a, { detail: \`See /sell/deliveries/\${id}.\` });
      const none = ['and/or', 'https://a.example/api/meta', \`\${baseUrl}/openapi.json\`];`;
    expect(textsIn(source, 'a.ts').map((one) => [one.text, isRewritten(one)])).toEqual([
      ['Ask with GET /verticals.', false],
      ['See /sell/deliveries/{}.', true],
    ]);
  });
});

describe('a resource', () => {
  // Documents of the REST interface describe it as it is.
  const OF_REST = /\/(?:llms\.txt|openapi(?:-operator)?\.json|problems\.json|agent-card\.json)$/;

  it('names operations as tools do', async () => {
    const { resources } = await face.ask<{ resources: { uri: string }[] }>('resources/list');
    const uris = resources.map(({ uri }) => uri).filter((uri) => !OF_REST.test(uri));
    expect(uris.length).toBeGreaterThan(5);
    for (const uri of uris) {
      const { contents } = await face.ask<{ contents: { text: string }[] }>('resources/read', { uri });
      expect(restPaths(JSON.parse(contents[0]?.text ?? '')), uri).toEqual([]);
    }
  });
});

it('a path that MCP is not served at says so with whole URLs', async () => {
  const response = await face.request({ method: 'GET' }, `${baseUrl}/mcp/sse`);
  const problem = (await response.json()) as Record<string, unknown>;
  expect(problem.code).toBe('path_not_found');
  expect(restPaths(problem)).toEqual([]);
});

describe('what lists and the handshake say', () => {
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  };
  it.each([
    ['initialize', hello],
    ['tools/list', {}],
    ['prompts/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
  ])('%s', async (method, params) => {
    expect(restPaths(await face.ask(method, params))).toEqual([]);
  });
});

/** Words in snake_case that are no tools: arguments, members of answers, codes and values. */
function otherWords(): Set<string> {
  const words = new Set<string>(['api_key', 'delivery_request', 'verification_challenge', 'payment_method']);
  for (const operation of documentedOperations) {
    for (const { code } of operation.errors) words.add(code);
  }
  for (const code of Object.keys(commonErrors)) words.add(code);
  for (const tool of tools) {
    const { toWire } = argumentNames(tool);
    for (const field of Object.keys(tool.input.shape)) words.add(toWire(field));
    const schema = JSON.stringify(tool.output.toJSONSchema?.({ unrepresentable: 'any' }) ?? '');
    for (const [word] of schema.matchAll(/[a-z]+(?:_[a-z]+)+/g)) words.add(word);
  }
  return words;
}

it('every tool that a text names exists', () => {
  const others = otherWords();
  const texts = tools.flatMap((tool) => [
    tool.mcp.description,
    ...problemsOf(tool).flatMap(({ detail, title }) => [String(detail), String(title)]),
  ]);
  const named = texts.flatMap((text) => [...text.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([word]) => word));
  expect(named.filter((word) => toolNames.has(word)).length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((word) => !toolNames.has(word) && !others.has(word))).toEqual([]);
});

it('an operation is named by its tool, once, and any other by its whole URL', () => {
  expect(
    nameTools('Look (browse_marketplace, GET /marketplace/listings). Then POST /wallet/fund.', baseUrl),
  ).toBe('Look (browse_marketplace). Then fund_wallet.');
  expect(nameTools('Check it with POST /verify-receipt.', baseUrl)).toBe(
    `Check it with POST ${baseUrl}/verify-receipt.`,
  );
});
