import {
  type KeySet,
  keySetOf,
  verifyListingHistory,
  verifyPurchaseReceipt,
  verifyResponse,
} from '@agent-marketplace/sdk';
import { Client as NewestClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { faultsFound } from './independent.ts';
import { connectMcp, type McpClient } from './mcp-client.ts';
import { type LiveSeller, startSeller } from './seller.ts';

// The whole story through tools only, told in order by the official client.

const baseUrl = inject('sharedBaseUrl');
let seller: LiveSeller;
let keys: KeySet;
let stranger: McpClient;
let asSeller: McpClient;
let asBuyer: McpClient;

const DELIVERABLE = { tide: [1.5, -0.125], café: '名前 😀', nested: { b: null, a: true } };

beforeAll(async () => {
  seller = await startSeller(baseUrl, ({ query }) => (query.day === 'never' ? null : DELIVERABLE));
  keys = keySetOf(await (await fetch(`${baseUrl}/signing-key`)).json());
  stranger = await connectMcp(baseUrl);
});
afterAll(async () => {
  await seller?.close();
});

let listingId: string;
let purchase: Record<string, unknown>;

describe('two agents and a sale', () => {
  it('connects, and is told what is here', async () => {
    expect(stranger.client.getServerVersion()).toMatchObject({ name: 'agent-marketplace' });
    expect(stranger.client.getInstructions()).toContain('about_marketplace');
    await stranger.client.ping();
    const about = await stranger.use('about_marketplace');
    expect((about.categories as unknown[]).length).toBe(13);
    expect(((await stranger.use('list_verticals')).verticals as unknown[]).length).toBeGreaterThanOrEqual(40);
  });

  it('registers two agents, each of which configures its key once', async () => {
    const [one, other] = [
      await stranger.use('register_agent', { name: 'Seller' }),
      await stranger.use('become_seller', { name: 'Other', country: 'DE' }),
    ];
    asSeller = await connectMcp(baseUrl, String(one.apiKey));
    asBuyer = await connectMcp(baseUrl, String(other.apiKey));
  });

  it('lists, and goes live with its endpoint', async () => {
    const { listing, claimUrl } = (await asSeller.use('sell_data', {
      title: 'Tide tables of Brest',
      description: 'High and low water, computed.',
      preview: { columns: ['tide'] },
      price_cents: 0,
      consent: true,
    })) as { listing: { id: string; status: string }; claimUrl: string };
    listingId = listing.id;
    expect([listing.status, typeof claimUrl]).toEqual(['pending', 'string']);
    const verified = await asSeller.use('set_delivery_endpoint', { callback_url: seller.callbackUrl });
    expect(verified.activatedListings).toEqual([listingId]);
  });

  clause('tool.buy-data');
  it('finds it, looks at it and buys it', async () => {
    const found = await asBuyer.use('browse_marketplace', { q: 'tide bre', price: 'free' });
    expect((found.listings as { id: string }[]).map(({ id }) => id)).toContain(listingId);
    const looked = await asBuyer.use('preview_listing', { listing_id: listingId });
    expect(looked.preview).toEqual({ columns: ['tide'] });

    purchase = await asBuyer.use('buy_data', { listing_id: listingId, query: { day: '2026-01-01' } });
    expect(purchase).toMatchObject({ status: 'released', content: DELIVERABLE });
    const again = await asBuyer.use('get_purchase', { purchase_id: purchase.id });
    expect([again.content, again.contentMatchesReceipt]).toEqual([purchase.content, true]);
  });

  it('changes the listing, takes it down and puts it back', async () => {
    const listing_id = listingId;
    expect((await asSeller.use('update_listing', { listing_id, title: 'Tides of Brest' })).version).toBe(2);
    expect((await asSeller.use('deactivate_listing', { listing_id, reason: 'Holiday.' })).status).toBe(
      'inactive',
    );
    expect((await asSeller.use('update_listing', { listing_id, active: true })).status).toBe('active');
    const { entries } = await asBuyer.use('listing_history', { listing_id });
    expect(await verifyListingHistory(listingId, entries as never, keys)).toMatchObject({
      valid: true,
      version: 4,
    });
  });
});

describe('what is refused', () => {
  it.each([
    ['own_listing', () => asSeller.refused('buy_data', { listing_id: listingId })],
    ['not_listing_owner', () => asBuyer.refused('deactivate_listing', { listing_id: listingId })],
    ['not_purchase_owner', () => asSeller.refused('get_purchase', { purchase_id: purchase.id })],
    [
      'delivery_unavailable',
      () => asBuyer.refused('buy_data', { listing_id: listingId, query: { day: 'never' } }),
    ],
    ['missing_api_key', () => stranger.refused('get_purchase', { purchase_id: purchase.id })],
    ['validation_failed', () => stranger.refused('browse_marketplace', { limit: 'many' })],
  ])('%s', async (code, call) => {
    const problem = await call();
    expect(problem.code).toBe(code);
    expect(await verifyResponse(problem, keys)).toMatchObject({ valid: true });
  });

  it('an unknown tool', async () => {
    await expect(stranger.client.callTool({ name: 'burn_data', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

const rpc = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const RPC_BODIES: readonly string[] = [
  rpc('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  }),
  rpc('tools/list'),
  rpc('prompts/list'),
  rpc('tools/call', { name: 'about_marketplace', arguments: {} }),
  rpc('tools/call', { name: 'register_agent', arguments: {} }),
  rpc('tools/call', { name: 'burn_data', arguments: {} }),
  rpc('tools/burn'),
  { no: 'message' },
  [],
  [rpc('prompts/list'), rpc('tools/burn')],
]
  .map((body) => JSON.stringify(body))
  .concat('{"jsonrpc":');

interface RpcAnswer {
  readonly result?: { readonly structuredContent?: object };
  readonly error?: object;
}

/** One member more than what was signed. */
function forge(answer: RpcAnswer | RpcAnswer[]): unknown {
  if (Array.isArray(answer)) return answer.map(forge);
  const { result, error } = answer;
  if (error) return { ...answer, error: { ...error, more: 1 } };
  const { structuredContent } = result ?? {};
  if (!structuredContent) return { ...answer, result: { ...result, more: 1 } };
  return { ...answer, result: { ...result, structuredContent: { ...structuredContent, more: 1 } } };
}

/** The signature is of the moment; all before it is not. */
const unsigned = (text: string) => text.split(',"provenance":')[0];

describe('what was signed', () => {
  it('verifies offline: every structured content, and the receipt in it', async () => {
    expect(await verifyResponse(purchase, keys)).toMatchObject({ valid: true });
    expect(await verifyPurchaseReceipt(purchase as never, keys)).toMatchObject({
      valid: true,
      content: 'matches',
    });
  });

  it('in Python and with OpenSSL, every answer of JSON-RPC: results, lists, errors, batches', async () => {
    const { keyId, publicKeyPem } = (await (await fetch(`${baseUrl}/signing-key`)).json()) as Record<
      string,
      string
    >;
    const checks = await Promise.all(
      RPC_BODIES.map(async (body) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`${baseUrl}/mcp`, { method: 'POST', headers, body });
        return { kind: 'rpc' as const, text: await response.text() };
      }),
    );
    const pems = { [String(keyId)]: String(publicKeyPem) };
    expect(faultsFound(pems, checks)).toEqual([]);
    const forged = checks.map(({ kind, text }) => ({ kind, text: JSON.stringify(forge(JSON.parse(text))) }));
    expect(faultsFound(pems, forged)).toHaveLength(forged.length);
  });

  it('and so do resources', async () => {
    const { resources } = await stranger.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`${baseUrl}/meta`);
    const uri = `${baseUrl}/marketplace/listings/${listingId}`;
    const { contents } = await stranger.client.readResource({ uri });
    const [{ text = '' } = {}] = contents as { text?: string }[];
    expect(await verifyResponse(text, keys)).toMatchObject({ valid: true });
  });

  it('documents are those of the same URL over HTTP, byte by byte', async () => {
    const { resources } = await stranger.client.listResources();
    const documents = resources.map(({ uri }) => uri).filter((uri) => /\.(?:json|txt)$/.test(uri));
    const { origin } = new URL(baseUrl);
    expect(documents).toEqual([
      `${baseUrl}/llms.txt`,
      `${origin}/openapi.json`,
      `${origin}/openapi-operator.json`,
      `${origin}/.well-known/agent-card.json`,
      `${baseUrl}/problems.json`,
    ]);
    for (const uri of documents) {
      const [{ text = '' } = {}] = (await stranger.client.readResource({ uri })).contents as {
        text?: string;
      }[];
      expect(unsigned(text), uri).toBe(unsigned(await (await fetch(uri)).text()));
    }
  });

  it('prompts come with what was asked for', async () => {
    const { messages } = await stranger.client.getPrompt({
      name: 'find_and_buy_data',
      arguments: { need: 'tides' },
    });
    expect(JSON.stringify(messages)).toContain('tides');
  });
});

describe('the client of the newest revision', () => {
  it.each([
    ['2026-07-28, without a handshake', { pin: '2026-07-28' }],
    ['whichever it finds', 'auto'],
    ['the revisions before, with one', 'legacy'],
  ] as const)('%s', async (_, mode) => {
    const client = new NewestClient({ name: 'newest', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`)));
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    const bought = await client.callTool({ name: 'buy_data', arguments: { listing_id: listingId } });
    expect(bought.structuredContent).toMatchObject({ content: DELIVERABLE });
    expect(await verifyResponse(bought.structuredContent as never, keys)).toMatchObject({ valid: true });
    const { resources } = await client.listResources();
    expect((await client.readResource({ uri: resources[0]?.uri ?? '' })).contents).toHaveLength(1);
    expect((await client.listPrompts()).prompts).toHaveLength(3);
    await client.close();
  });
});
