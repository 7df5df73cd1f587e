import { claimLinkFor } from '@agent-marketplace/core/agents/index.ts';
import type { EndpointRequest } from '@agent-marketplace/core/kernel/ports/seller-endpoint.ts';
import { replied, type ScriptedReply } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_BASE_URL } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { beforeEach, describe, expect, it } from 'vitest';

const sales = createSalesMarketplace();
const { market } = sales;

/** Whose data an endpoint gives, by host; `sellerId`: whom it was set up for, if anybody. */
const servers = new Map<string, { readonly owner: string; readonly sellerId?: string; isMcp?: true }>();

/** Answers on every path, as a simple server does, and echoes nothing of what it was sent but the nonce. */
function serve(request: EndpointRequest): ScriptedReply {
  const server = servers.get(new URL(request.url).host);
  if (server === undefined) return { kind: 'unreachable' };
  const { owner, sellerId, isMcp } = server;
  const addressee = request.headers?.[BRAND.header.sellerId];
  if (sellerId !== undefined && addressee !== sellerId) return replied({ error: 'other_seller' }, 403);
  const message = JSON.parse(request.body);
  const answerTo = ({ type, nonce }: { type: string; nonce: string }) =>
    type === 'verification_challenge'
      ? { nonce, ...(sellerId === undefined ? {} : { sellerId }) }
      : { data: { of: owner } };
  if (!isMcp) return replied(answerTo(message));
  const { id, method, params } = message;
  if (method === 'initialize')
    return replied({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18' } });
  if (method !== 'tools/call') return replied('', 202);
  return replied({ jsonrpc: '2.0', id, result: { structuredContent: answerTo(params.arguments) } });
}

const HOOK = 'https://hook.example.com/events';
let hosts = 0;
let host: string;
let victim: RegisteredAgent;
let stranger: RegisteredAgent;

beforeEach(async () => {
  market.sellerEndpoint.script = serve;
  hosts += 1;
  host = `victim-${hosts}.example.com`;
  servers.set(host, { owner: 'victim' });
  servers.set('stranger.example.com', { owner: 'stranger' });
  victim = await newSeller();
  stranger = await newSeller();
  // The windows of the rate limits pass.
  market.clock.advance(60_000);
});

async function newSeller(): Promise<RegisteredAgent> {
  const agent = await sales.newAgent({ name: 'Seller', callbackUrl: HOOK });
  await sales.request('POST', '/sell/register', agent.apiKey, { name: 'Seller' });
  return agent;
}

async function register(seller: RegisteredAgent, callbackUrl: string, callbackType = 'webhook') {
  const { status, body } = await sales.request('POST', '/sell/callback', seller.apiKey, {
    callbackUrl,
    callbackType,
  });
  return status === 200 ? status : body.code;
}

async function claimOf(seller: RegisteredAgent): Promise<string> {
  const ports = market.newPorts();
  const place = { baseUrl: TEST_BASE_URL, siteUrl: null };
  const [row] = await sales.rows<{ at: string | null }>(
    'SELECT claim_expires_at AS at FROM sellers WHERE agent_id = ?',
    seller.id,
  );
  const claimed = { sellerId: seller.id, claimExpiresAt: row?.at ?? null };
  const link = await claimLinkFor(ports, place, claimed, market.clock.now());
  await ports.market.commit(link.statements);
  return link.claimUrl.split('/').at(-1) ?? '';
}

async function claim(token: string, callbackUrl: string) {
  const { status, body } = await sales.request('POST', `/sell/claims/${token}/callback`, null, {
    callbackUrl,
  });
  return status === 200 ? status : body.code;
}

/** What a buyer gets of a listing: whose data, or which status. */
async function bought(listingId: string): Promise<unknown> {
  const { status, body } = await sales.buy(listingId, null);
  return status === 200 ? body.content : status;
}

const newListing = async (by: RegisteredAgent) => (await sales.listing({ priceCents: 0 }, by)).id;
const wasTold = async ({ id }: RegisteredAgent) => (await sales.events(id)).map(({ type }) => type);
async function readsOnDashboard({ apiKey }: RegisteredAgent): Promise<string[]> {
  const { body } = await sales.request('GET', '/sell/me', apiKey);
  return (body as unknown as { notifications: { type: string }[] }).notifications.map(({ type }) => type);
}

describe('an old claim link', () => {
  it('does not replace the endpoint that was verified since', async () => {
    const token = await claimOf(victim);
    expect(await register(victim, `https://${host}/deliver`)).toBe(200);
    const listing = await newListing(victim);
    expect(await claim(token, 'https://stranger.example.com/deliver')).toBe('endpoint_already_set');
    expect(await bought(listing)).toEqual({ of: 'victim' });
  });

  it('does not either while the seller verifies its own', async () => {
    const token = await claimOf(victim);
    market.sellerEndpoint.script = async (request) => {
      if (request.url.includes('stranger')) {
        market.sellerEndpoint.script = serve;
        expect(await register(victim, `https://${host}/deliver`)).toBe(200);
      }
      return serve(request);
    };
    expect(await claim(token, 'https://stranger.example.com/deliver')).toBe('endpoint_already_set');
    expect(await bought(await newListing(victim))).toEqual({ of: 'victim' });
  });

  it('sets a first endpoint, may repeat it, and the seller is told', async () => {
    const token = await claimOf(victim);
    for (const _try of [1, 2]) expect(await claim(token, `https://${host}/deliver`)).toBe(200);
    expect(await wasTold(victim)).toEqual(['endpoint.changed']);
    expect(await readsOnDashboard(victim)).toEqual(['endpoint.changed']);
  });

  it('leaves changes to the key, and each is told', async () => {
    await register(victim, `https://${host}/deliver`);
    expect(await wasTold(victim)).toEqual([]);
    expect(await register(victim, `https://${host}/elsewhere`)).toBe(200);
    expect(await wasTold(victim)).toEqual(['endpoint.changed']);
  });
});

describe.each([
  { callbackType: 'webhook', kind: {} },
  { callbackType: 'mcp', kind: { isMcp: true } as const },
])("another seller's server ($callbackType)", ({ callbackType, kind }) => {
  beforeEach(() => servers.set(host, { owner: 'victim', ...kind }));

  it.each(['/d?x=1', '/d/', '/D', '/d//?', '/d'])('does not prove %s for a stranger', async (path) => {
    expect(await register(victim, `https://${host}/d`, callbackType)).toBe(200);
    expect(await register(stranger, `https://${host}${path}`, callbackType)).toBe('endpoint_taken');
    const { body } = await sales.request('POST', '/marketplace/listings', stranger.apiKey, {
      title: 'Borrowed data',
      description: 'Of somebody else.',
      preview: {},
      priceCents: 0,
      consent: true,
    });
    expect((body as unknown as { listing: { status: string } }).listing.status).toBe('pending');
  });

  it('does not when both verify at the same time', async () => {
    const answers = await Promise.all([
      register(victim, `https://${host}/d`, callbackType),
      register(stranger, `https://${host}/d?x=1`, callbackType),
    ]);
    expect(answers.sort()).toEqual([200, 'endpoint_taken']);
  });

  it('takes its URL back by naming its seller, who came second', async () => {
    expect(await register(stranger, `https://${host}/d?x=1`, callbackType)).toBe(200);
    const borrowed = await newListing(stranger);
    expect(await bought(borrowed)).toEqual({ of: 'victim' });
    expect(await register(victim, `https://${host}/d`, callbackType)).toBe('endpoint_taken');
    servers.set(host, { owner: 'victim', sellerId: victim.id, ...kind });
    expect(await register(victim, `https://${host}/d`, callbackType)).toBe(200);
    expect(await wasTold(stranger)).toContain('endpoint.displaced');
    expect(await readsOnDashboard(stranger)).toContain('endpoint.displaced');
    expect(await bought(borrowed)).not.toEqual({ of: 'victim' });
    expect(await sales.rows('SELECT status FROM listings WHERE id = ?', borrowed)).toEqual([
      { status: 'pending' },
    ]);
    expect(await bought(await newListing(victim))).toEqual({ of: 'victim' });
    // Nor can it be borrowed again.
    expect(await register(stranger, `https://${host}/d?x=2`, callbackType)).toBe('endpoint_not_verified');
  });

  it('ends the links of whom it displaces: an old one sets no endpoint again', async () => {
    const old = await claimOf(stranger);
    expect(await register(stranger, `https://${host}/d?x=1`, callbackType)).toBe(200);
    servers.set(host, { owner: 'victim', sellerId: victim.id, ...kind });
    expect(await register(victim, `https://${host}/d`, callbackType)).toBe(200);
    servers.set(`next-${host}`, { owner: 'stranger' });
    const url = `https://next-${host}/d`;
    expect(await claim(old, url)).toBe('claim_not_found');
    // Within the same hour, too, the next link is another one, and it works.
    const next = await claimOf(stranger);
    expect(await claim(old, url)).toBe('claim_not_found');
    expect(await claim(next, url)).toBe(200);
  });

  it('says of whom it is, and is believed', async () => {
    // It names its seller, and does not look whom a message is for.
    market.sellerEndpoint.script = (request) =>
      serve({ ...request, headers: { ...request.headers, [BRAND.header.sellerId]: victim.id } });
    servers.set(host, { owner: 'victim', sellerId: victim.id, ...kind });
    expect(await register(stranger, `https://${host}/other`, callbackType)).toBe('endpoint_not_verified');
    expect(await register(victim, `https://${host}/d`, callbackType)).toBe(200);
  });
});

describe('another path of the same host', () => {
  it.each(['https://HOST', 'http://localhost:PORT'])(
    'is verified, and the first seller of %s is told',
    async (origin) => {
      const place = new URL(origin.replace('HOST', host).replace('PORT', String(20_000 + hosts)));
      servers.set(place.host, { owner: 'victim' });
      expect(await register(victim, `${place.origin}/d`)).toBe(200);
      expect(await register(stranger, `${place.origin}/d?x=1`)).toBe('endpoint_taken');
      expect(await register(stranger, `${place.origin}/tenant`)).toBe(200);
      expect(await wasTold(victim)).toEqual(['endpoint.host_shared']);
      expect(await readsOnDashboard(victim)).toEqual(['endpoint.host_shared']);
      expect(await wasTold(stranger)).toEqual([]);
    },
  );

  it('tells nobody of another port on a machine of its own', async () => {
    servers.set('localhost:19001', { owner: 'victim' });
    servers.set('localhost:19002', { owner: 'stranger' });
    await register(victim, 'http://localhost:19001/d');
    expect(await register(stranger, 'http://localhost:19002/d')).toBe(200);
    expect(await wasTold(victim)).toEqual([]);
  });
});

it('sellers whose shared server knows them have URLs that differ by query', async () => {
  market.sellerEndpoint.script = (request) => {
    const sellerId = new URL(request.url).searchParams.get('seller') ?? '';
    return replied({ nonce: JSON.parse(request.body).nonce, sellerId });
  };
  for (const seller of [victim, stranger])
    expect(await register(seller, `https://${host}/d?seller=${seller.id}`)).toBe(200);
  expect(await wasTold(victim)).toContain('endpoint.host_shared');
});
