import { commonErrors, type ErrorDefinition, Refusal } from '@agent-marketplace/core/kernel/errors.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/mcp-face.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/workers-harness.ts';
import { problemBody } from '@agent-marketplace/core/transport/http/problem.ts';
import { createToolNamer } from '@agent-marketplace/core/transport/mcp/name-tools.ts';
import { argumentNames, type ToolOperation } from '@agent-marketplace/core/transport/mcp/names.ts';
import { describe, expect, it } from 'vitest';
import { restPaths } from './tool-names.ts';

// Whoever calls tools is told of tools, by names that exist. What tools answer is looked through in mcp.test.ts.

const tools = mcpOperations as readonly ToolOperation[];
const toolNames = new Set(tools.map(({ mcp }) => mcp.tool));
const face = createMcpFace(createTestMarketplace());
const nameTools = createToolNamer(documentedOperations);
const baseUrl = 'https://marketplace.example/api';
const call = { requestId: 'r', baseUrl, renderText: (text: string) => nameTools(text, baseUrl) };

function problemsOf({ errors }: ToolOperation): Record<string, unknown>[] {
  const all: readonly ErrorDefinition[] = [...errors, ...Object.values(commonErrors)];
  return all.map((definition) => problemBody(new Refusal(definition), call) as Record<string, unknown>);
}

describe('every error of a tool', () => {
  it.each(tools.map((tool) => [tool.mcp.tool, tool] as const))('%s', (_, tool) => {
    for (const problem of problemsOf(tool)) expect(restPaths(problem)).toEqual([]);
  });
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
