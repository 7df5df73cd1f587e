import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { createMcpFace, type ToolAnswer } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { describeTool } from '@agent-marketplace/core/transport/mcp/describe-tool.ts';
import { argumentNames, type ToolOperation } from '@agent-marketplace/core/transport/mcp/names.ts';
import { MAX_ANSWER_BYTES } from '@agent-marketplace/core/transport/mcp/short-answer.rules.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { longTextsTwice } from './long-texts.ts';
import { goodRequest } from './try-operation.ts';
import { createWorld } from './world.ts';

// A model reads every byte that a tool answers: none is long, and none says the same twice.

const tools = mcpOperations as readonly ToolOperation[];
const answers = new Map<string, ToolAnswer>();
beforeAll(async () => {
  const world = await createWorld();
  const face = createMcpFace(world.market);
  for (const operation of tools) {
    const { input, apiKey } = await goodRequest(world, operation);
    const { toWire } = argumentNames(operation);
    const args = Object.fromEntries(Object.entries(input).map(([field, value]) => [toWire(field), value]));
    const key = apiKey === undefined ? {} : { api_key: apiKey };
    answers.set(operation.mcp.tool, await face.callTool(operation.mcp.tool, { ...args, ...key }));
  }
});

describe.each(tools.map((operation) => [operation.mcp.tool, operation] as const))('%s', (name, operation) => {
  const answerOf = () => {
    const answer = answers.get(name);
    if (answer === undefined || answer.isError) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer;
  };

  it('answers in few bytes, all together', () => {
    expect(Buffer.byteLength(JSON.stringify(answerOf()))).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
  });

  it('says no text twice, and its text is no JSON', () => {
    const { content, structuredContent } = answerOf();
    expect(longTextsTwice(structuredContent, content[0]?.text ?? '')).toEqual([]);
    expect(content[0]?.text).not.toMatch(/^\s*[{[]/);
    expect(content[0]?.text).not.toBe('');
  });

  it('names its members in its schema', () => {
    const { properties = {} } = describeTool(operation, false).outputSchema;
    const unnamed = Object.keys(answerOf().structuredContent).filter((member) => !(member in properties));
    expect(unnamed.filter((member) => member !== 'provenance' && member !== 'notice')).toEqual([]);
  });
});
