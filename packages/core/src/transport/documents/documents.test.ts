import { AgentCard } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { apiOperations } from '../../operations/api.ts';
import { sampleOperations } from '../../testing/fixtures/sample-operations.ts';
import { SUMMARY } from './about.ts';
import { agentCard } from './agent-card.ts';
import { publicDocuments } from './index.ts';
import { llmsText } from './llms-text.ts';
import { registryEntry } from './registry-entry.ts';

const BASE = 'https://market.example/api';

const forAgents = apiOperations.filter(({ auth }) => auth !== 'operator');

describe('llms.txt', () => {
  const text = llmsText(apiOperations, BASE);

  it('has a title, then a summary, then lists', () => {
    const [title, summary] = text.split('\n\n');
    expect([title, summary]).toEqual(['# Agent Marketplace', `> ${SUMMARY}`]);
    expect(text.match(/^# /gm)).toHaveLength(1);
    expect(text.endsWith('\n')).toBe(true);
  });

  it('leaves what only operators may call to their own document', () => {
    for (const { name } of apiOperations.filter(({ auth }) => auth === 'operator'))
      expect(text).not.toContain(`/docs/api/${name})`);
    expect(text).not.toContain('the same operations, in OpenAPI');
    expect(text).toContain('/openapi-operator.json)');
  });

  it.each(forAgents.map(({ name, http, mcp }) => [name, http, mcp] as const))(
    'tells of %s',
    (name, http, mcp) => {
      expect(text).toContain(
        `[${http.method.toUpperCase()} ${http.path}](https://market.example/docs/api/${name})`,
      );
      if (mcp) expect(text).toContain(`\`${mcp.tool}\`: ${mcp.description}`);
    },
  );

  it('has absolute links only, all of them to the marketplace', () => {
    const links = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(forAgents.length);
    for (const link of links) expect(link?.startsWith('https://market.example/')).toBe(true);
  });

  it('needs no tools', () => {
    expect(llmsText(sampleOperations, BASE)).toContain('[DELETE /samples/{id}]');
  });
});

describe('the agent card', () => {
  it('has what a card must have, and a skill for each tool', () => {
    const card = agentCard(apiOperations, BASE) as { skills: { id: string }[] } & Record<string, unknown>;
    for (const member of [
      'name',
      'description',
      'version',
      'supportedInterfaces',
      'capabilities',
      'defaultInputModes',
      'defaultOutputModes',
      'skills',
    ]) {
      expect(card).toHaveProperty(member);
    }
    expect(card.skills.map(({ id }) => id)).toEqual(apiOperations.flatMap(({ mcp }) => mcp?.tool ?? []));
    for (const skill of card.skills)
      expect(Object.keys(skill).sort()).toEqual(['description', 'id', 'name', 'tags']);
  });

  it('is read whole by the standard’s own library, which drops what it does not know', () => {
    const card = agentCard(apiOperations, BASE);
    expect(AgentCard.toJSON(AgentCard.fromJSON(card))).toEqual(card);
  });
});

describe('the entry in the MCP registry', () => {
  // What the registry's schema of 2025-12-11 says of the members that are published; it would ignore a misspelt one.
  const input = z.strictObject({
    description: z.string().optional(),
    isRequired: z.boolean().optional(),
    isSecret: z.boolean().optional(),
    placeholder: z.string().optional(),
    value: z.string().optional(),
  });
  const header = z.strictObject({
    ...input.shape,
    name: z.string().min(1),
    variables: z.record(z.string(), input).optional(),
  });
  const entrySchema = z.strictObject({
    $schema: z.url(),
    name: z
      .string()
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    version: z.string().regex(/^\d+\.\d+\.\d+$/),
    websiteUrl: z.url(),
    remotes: z.array(
      z.strictObject({ type: z.literal('streamable-http'), url: z.url(), headers: z.array(header) }),
    ),
  });

  it('has the members that the registry knows, within its limits', () => {
    const entry = entrySchema.parse(registryEntry(BASE));
    expect([entry.name, entry.remotes[0]?.url]).toEqual(['example.market/agent-marketplace', `${BASE}/mcp`]);
    const [authorization] = entry.remotes[0]?.headers ?? [];
    const places = [...(authorization?.value ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(places).toEqual(Object.keys(authorization?.variables ?? {}));
  });
});

it('every public document has a path of its own', () => {
  expect(new Set(publicDocuments.map(({ path }) => path)).size).toBe(publicDocuments.length);
});
