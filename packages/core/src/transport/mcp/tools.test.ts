import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { apiOperations } from '../../operations/api.ts';
import { documentedOperations } from '../../operations/documented.ts';
import { mcpOperations } from '../../operations/mcp.ts';
import { createToolbox, type ToolDescription } from './describe-tool.ts';
import { createToolNamer } from './name-tools.ts';
import { prompts } from './prompts.ts';
import { INSTRUCTIONS } from './server.ts';

/** The tool table of the interface specification (clause: MCP); required arguments are marked. */
const TABLE: Readonly<Record<string, string>> = {
  about_marketplace: '',
  list_verticals: '',
  get_platform_stats: '',
  marketplace_stats: '',
  register_agent: 'name* email',
  submit_idea: 'title* description* category submittedBy impact',
  contact_marketplace: 'subject* message* category name email submittedBy',
  become_seller: 'name* email api_key country',
  sell_data: 'api_key* title* description* preview* price_cents* consent* vertical category',
  browse_marketplace:
    'q category vertical type sort min_rating min_success max_latency_ms samples limit offset price',
  preview_listing: 'listing_id*',
  buy_data: 'listing_id* api_key email buyer_intended_use buyer_attestation',
  get_purchase: 'purchase_id* api_key',
  rate_listing: 'listing_id* api_key* purchase_id* rating* comment',
  update_listing: 'api_key* listing_id* title description price_cents active preview reason',
  deactivate_listing: 'api_key* listing_id* reason',
  listing_history: 'listing_id* limit after',
  seller_dashboard: 'api_key*',
  list_health_data:
    'api_key* title* description* preview* price_cents* subcategory* data_format* consent* data_date demographics context_tags',
  search_health_data: 'q subcategory sort limit offset',
  set_delivery_endpoint: 'api_key* callback_url* callback_type',
  get_wallet_balance: 'api_key*',
  fund_wallet: 'api_key* amount_cents*',
  setup_payment_method: 'api_key*',
  configure_auto_recharge: 'api_key* enabled* threshold_cents recharge_amount_cents',
  bulk_purchase: 'api_key* listing_ids* payment_method',
  wallet_transactions: 'api_key* limit offset',
};

const baseUrl = 'https://marketplace.example/api';
const newToolbox = () => createToolbox(mcpOperations, createToolNamer(documentedOperations));
const [tools, withKey] = await Promise.all([
  newToolbox().list(false, baseUrl),
  newToolbox().list(true, baseUrl),
]);
const named = tools.map((tool) => [tool.name, tool] as const);
const find = (name: string) => tools.find((tool) => tool.name === name) as ToolDescription;
const property = (tool: string, argument: string) => find(tool).inputSchema.properties?.[argument];

describe('the tool table', () => {
  it.each(named)('%s is in it, with its arguments and required marks', (name, { inputSchema }) => {
    const row = TABLE[name];
    expect(row, `${name} is not a tool of the specification`).toBeDefined();
    const written = (row ?? '').split(' ').filter(Boolean);
    const required = written
      .filter((argument) => argument.endsWith('*'))
      .map((argument) => argument.slice(0, -1));
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(written.map((argument) => argument.replace('*', ''))),
    );
    expect([...(inputSchema.required ?? [])].sort()).toEqual(required.sort());
  });

  it('keeps its ranges and defaults', () => {
    expect(property('browse_marketplace', 'limit')).toMatchObject({ default: 10, maximum: 100 });
    expect(property('wallet_transactions', 'limit')).toMatchObject({ default: 50, maximum: 100 });
    expect(property('browse_marketplace', 'offset')).toMatchObject({ default: 0 });
    expect(property('browse_marketplace', 'min_rating')).toMatchObject({ minimum: 1, maximum: 5 });
    const sort = property('browse_marketplace', 'sort');
    expect(sort?.description).toMatch(/ Default: relevance with `q`, else recent\.$/);
    expect(sort).not.toHaveProperty('default');
    expect(property('browse_marketplace', 'samples')).toMatchObject({ default: 'exclude' });
    expect(property('sell_data', 'price_cents')).toMatchObject({ type: 'integer', minimum: 0 });
    expect(property('sell_data', 'preview')).toMatchObject({ type: 'object' });
    expect(property('sell_data', 'consent')).toMatchObject({ const: true });
    expect(property('set_delivery_endpoint', 'callback_type')).toMatchObject({
      default: 'webhook',
      enum: ['webhook', 'polling', 'mcp'],
    });
    expect(Object.keys(property('buy_data', 'buyer_attestation')?.properties ?? {}).sort()).toEqual([
      'acceptUseTerms',
      'noReidentification',
      'notForDiscrimination',
      'notForEmployment',
      'notForInsurance',
    ]);
  });
});

describe('every tool', () => {
  it('has a name of its own', () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it.each(named)('%s tells a model enough to choose it, and hosts what it may do', (name, tool) => {
    expect(tool.title.length).toBeGreaterThan(3);
    expect(tool.description.length).toBeGreaterThan(80);
    // What it costs is said of each.
    expect(tool.description).toMatch(/free|cost|charge/i);
    // Where a hint is left out, hosts assume the worst of a tool.
    const { readOnly, destructive, idempotent } =
      mcpOperations.find(({ mcp }) => mcp?.tool === name)?.mcp?.hints ?? {};
    const assumed = {
      destructiveHint: true,
      idempotentHint: false,
      readOnlyHint: false,
      ...tool.annotations,
    };
    expect(assumed.readOnlyHint).toBe(readOnly);
    if (!readOnly)
      expect([assumed.destructiveHint, assumed.idempotentHint]).toEqual([destructive, idempotent]);
  });

  it.each([...named, ...withKey.map((tool) => [tool.name, tool] as const)])(
    '%s says of every argument what it is',
    (_, { inputSchema }) => {
      const silent = Object.entries(inputSchema.properties ?? {}).filter(
        ([, { description = '' }]) => !description,
      );
      expect(silent).toEqual([]);
    },
  );

  it.each(named)('%s has schemas that are complete in themselves', (_, { inputSchema, outputSchema }) => {
    for (const schema of [inputSchema, outputSchema]) {
      expect(schema.type).toBe('object');
      const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref ?? '');
      for (const ref of refs) {
        expect(ref).toMatch(/^#\/\$defs\//);
        expect(schema.$defs).toHaveProperty([ref.slice('#/$defs/'.length)]);
      }
    }
  });

  it.each(named)('%s names only arguments and tools that exist', (_, { description }) => {
    for (const mentioned of toolsMentioned(description)) expect(Object.keys(TABLE)).toContain(mentioned);
    for (const mentioned of toolsMentioned(description)) expect(find(mentioned), mentioned).toBeDefined();
  });
});

it.each([
  ['without a key', tools],
  ['with one', withKey],
])('all tools together are at most 30 kB, listed to a connection %s', (_, listed) => {
  expect(new TextEncoder().encode(JSON.stringify({ tools: listed })).length).toBeLessThan(30_000);
});

describe('a connection that carries a key', () => {
  it.each(withKey.map((tool) => [tool.name, tool] as const))('%s does not ask for it again', (_, tool) => {
    expect(tool.inputSchema.required ?? []).not.toContain('api_key');
  });
});

it('an operation that is added becomes a tool with no further change', async () => {
  const added = defineOperation({
    name: 'shakeHands',
    summary: 'Shake hands.',
    area: 'Agents',
    auth: 'agent',
    scope: 'read',
    input: z.object({ otherAgentId: z.uuid(), firmly: z.boolean().default(true) }),
    output: z.object({ shaken: z.boolean() }),
    errors: [],
    http: { method: 'post', path: '/handshakes', status: 200 },
    mcp: {
      tool: 'shake_hands',
      title: 'Shake hands',
      description: 'Shake hands with another agent.',
      hints: { readOnly: false, destructive: false, idempotent: true },
    },
    rate: 'write',
    handle: async () => ({ shaken: true }),
  });
  const toolbox = createToolbox([...apiOperations, added], (text) => text);
  expect(toolbox.find('shake_hands')).toBe(added);
  expect((await toolbox.list(false, baseUrl)).at(-1)).toMatchObject({
    name: 'shake_hands',
    inputSchema: {
      properties: { api_key: {}, other_agent_id: { format: 'uuid' }, firmly: { default: true } },
      required: ['api_key', 'other_agent_id'],
    },
  });
});

describe('prompts and instructions', () => {
  const given = {
    what: 'a',
    need: 'b',
    receipt: '{}',
    price_cents: '5',
    budget_cents: '0',
    callback_url: 'c',
  };

  it.each(prompts.map((prompt) => [prompt.name, prompt] as const))(
    '%s names tools that exist',
    (_, prompt) => {
      for (const text of [prompt.text(given, 'https://a.example/api'), prompt.text({ ...given }, '')]) {
        for (const mentioned of toolsMentioned(text)) expect(find(mentioned), mentioned).toBeDefined();
      }
    },
  );

  it('the instructions do, too', () => {
    for (const mentioned of toolsMentioned(INSTRUCTIONS)) expect(find(mentioned), mentioned).toBeDefined();
  });
});

function toolsMentioned(text: string): string[] {
  return Object.keys(TABLE).filter((tool) => new RegExp(`\\b${tool}\\b`).test(text));
}
