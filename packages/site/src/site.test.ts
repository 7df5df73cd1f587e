import { readOwnPolicies } from '@agent-marketplace/core/kernel/policies/policies.ts';
import { describe, expect, test, vi } from 'vitest';
import type { Assets } from './asset-files.ts';
import { definePage } from './page.ts';
import { pages } from './pages.ts';
import { createSite, type SiteContext } from './site.ts';

/** Stands for whatever scripts the pages name. */
const scripts = new Proxy({}, { get: (_, name) => `/assets/${String(name)}.js` });
const assets: Assets = { files: {}, style: '/assets/site.css', scripts };
const DEFAULTS = readOwnPolicies({});
const ORIGIN = 'https://market.example';

function visit(
  path: string,
  api: (request: Request) => Response | Promise<Response>,
  init: RequestInit = {},
  isDevelopment = false,
) {
  const context: SiteContext = {
    isDevelopment,
    api: { fetch: async (request) => api(request) },
    apiBaseUrl: null,
    policies: DEFAULTS,
    readDocFile: async () => null,
  };
  return createSite(pages, assets).fetch(new Request(ORIGIN + path, init), context);
}

const problem = (status: number, code: string, detail = '') =>
  Response.json(
    { code, title: `Title of ${code}.`, detail, status, retryable: false, requestId: 'r-1' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
const down = () => {
  throw new Error('secret: no route to the API');
};

const CLAIM = {
  endpoint: { callbackType: 'webhook', verified: true },
  expiresAt: '2026-12-01T00:00:00Z',
  payouts: { connected: true },
  pendingListings: [],
  seller: { displayName: null, label: 'agent-1' },
};

test('a claim link of an endpoint that is verified offers no form that would be refused', async () => {
  const formOf = async (claim: object) =>
    (await (await visit('/claim/t', () => Response.json(claim))).text()).includes('name="callbackUrl"');
  expect(await formOf({ ...CLAIM, endpoint: null })).toBe(true);
  expect(await formOf(CLAIM)).toBe(false);
});

test('the field of an endpoint says what this deployment takes', async () => {
  const claim = () => Response.json({ ...CLAIM, endpoint: null });
  for (const path of ['/claim/t', '/seller/listings/new']) {
    const takesLocal = async (isDevelopment: boolean) =>
      (await (await visit(path, claim, {}, isDevelopment)).text()).includes('or http://localhost');
    expect([path, await takesLocal(true), await takesLocal(false)]).toEqual([path, true, false]);
  }
});

test('a link that opens no purchase says no more than is known', async () => {
  const response = await visit('/purchases/p?token=x', () => problem(403, 'not_purchase_owner'));
  const html = await response.text();
  expect([response.status, html.includes('opens no purchase')]).toEqual([404, true]);
  expect(html).not.toMatch(/charged|characters/);
});

test('an unknown category is named as such, with those that there are', async () => {
  const categories = [{ slug: 'data', name: 'Data', description: '', verticals: [] }];
  const api = ({ url }: Request) =>
    url.includes('/categories')
      ? Response.json({ categories })
      : url.includes('/verticals')
        ? Response.json({ verticals: [] })
        : Response.json({ listings: [], total: 0, offset: 0, limit: 20 });
  for (const slug of ['No+Such', 'nothing', '%3Cb%3E']) {
    const response = await visit(`/listings?category=${slug}`, api);
    expect([slug, response.status]).toEqual([slug, 404]);
    expect(await response.text()).toContain('href="/listings?category=data"');
  }
});

describe('while the API', () => {
  test('cannot be reached, a page says what happened and what to do', async () => {
    const response = await visit('/listings', down);
    const html = await response.text();
    expect(response.status).toBe(503);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(html).toContain('does not answer');
    expect(html).toContain('Opening this page bought and charged nothing');
    expect(html).not.toContain('secret');
  });

  test('cannot be reached, the front page still shows how to begin', async () => {
    const response = await visit('/', down);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('The figures are not available now');
    expect(html).toContain('/api/agents/register');
  });

  test('answers something else than JSON, it counts as down', async () => {
    expect((await visit('/depth', () => new Response('<html>', { status: 502 }))).status).toBe(503);
  });

  test.each([
    [404, 'listing_not_found', 404],
    [429, 'rate_limited', 429],
    [400, 'validation_failed', 400],
    [503, 'service_unavailable', 503],
    [500, 'internal_error', 503],
  ])('refuses with %i %s, the page has %i and names it', async (status, code, shown) => {
    const response = await visit('/listings/x', () => problem(status, code));
    const html = await response.text();
    expect(response.status).toBe(shown);
    expect(html).toContain(`href="/problems/${code}"`);
    expect(html).toContain('r-1');
  });
});

test('a fault of a page is logged, and not shown', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const broken = definePage({
    path: '/broken',
    get: () => {
      throw new Error('secret');
    },
  });
  const context = {
    api: { fetch: down },
    apiBaseUrl: null,
    policies: DEFAULTS,
    readDocFile: async () => null,
  };
  const response = await createSite([broken], assets).fetch(new Request(`${ORIGIN}/broken`), context);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret');
  expect(logged.mock.calls.join()).toContain('secret');
  logged.mockRestore();
});

test("the reader's address goes along, so that limits are the reader's own", async () => {
  const asked: Request[] = [];
  const headers = { 'cf-connecting-ip': '192.0.2.7', cookie: 'a=b' };
  const api = (request: Request) => {
    asked.push(request);
    return problem(503, 'service_unavailable');
  };
  await visit('/listings', api, { headers });
  expect(asked.length).toBeGreaterThan(0);
  for (const request of asked) {
    expect(request.url.startsWith(`${ORIGIN}/api/`)).toBe(true);
    expect(request.headers.get('cf-connecting-ip')).toBe('192.0.2.7');
    expect(request.headers.get('cookie')).toBeNull();
  }
});

test('an API at another address may be called by scripts, and is what pages name', async () => {
  const context = {
    api: { fetch: down },
    apiBaseUrl: 'https://api.example/api',
    policies: DEFAULTS,
    readDocFile: async () => null,
  };
  const response = await createSite(pages, assets).fetch(new Request(`${ORIGIN}/`), context);
  expect(response.headers.get('content-security-policy')).toContain(
    "connect-src 'self' https://api.example;",
  );
  expect(await response.text()).toContain('https://api.example/api/agents/register');
});

test('what is for one reader only is kept by nobody', async () => {
  const own = definePage({
    path: '/own',
    get: () => ({ title: 'Own', description: '', main: null, isPrivate: true }),
  });
  const context = {
    api: { fetch: down },
    apiBaseUrl: null,
    policies: DEFAULTS,
    readDocFile: async () => null,
  };
  const response = await createSite([own], assets).fetch(new Request(`${ORIGIN}/own?token=t`), context);
  const html = await response.text();
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
  expect(html).not.toContain('og:url');
  expect(html).not.toContain('token=t');
});

describe('the page of a listing', () => {
  const ID = '11111111-1111-4111-8111-111111111111';
  const LISTING = {
    id: ID,
    title: 'Tides',
    sellerName: 'Master',
    description: 'Of the day.',
    priceCents: 2600,
    priceMicros: null,
    meter: null,
    status: 'active',
    version: 1,
    fulfilment: 'digital',
    verticalName: 'Reference data',
    verticalSlug: 'reference-data',
    listingType: 'standard',
    sellerKind: 'platform',
    images: [],
    maxCopies: null,
    soldCount: 0,
    purchaseCount: 0,
    ratingCount: 0,
    ratingAvg: 0,
    createdAt: '2026-11-23T00:00:00Z',
    lastModified: null,
    isSample: false,
    exclusiveSold: false,
    unreachableSince: null,
    measured: null,
    healthConsentVerified: false,
    inputSchema: { type: 'object', required: ['port'], properties: { port: { type: 'string' } } },
    outputSchema: null,
    exampleQuery: { port: 'Cork' },
    queryRequired: true,
  };
  const SELLER = {
    name: 'Master',
    kind: 'platform',
    badges: [],
    reputation: 50,
    deliveredCount: 0,
    failedCount: 0,
    refusedShare: 0,
    ratingAvg: 0,
    ratingCount: 0,
    endpointVerified: true,
    since: '2026-11-23T00:00:00Z',
  };
  const bought: unknown[] = [];

  function listingApi(
    changes: object,
    { closedRails = [] as object[], preview = {}, purchase = () => problem(503, 'service_unavailable') } = {},
  ) {
    return async (request: Request) => {
      const { pathname } = new URL(request.url);
      if (request.method === 'POST') bought.push(await request.json());
      if (pathname.endsWith('/purchase')) return purchase();
      if (!pathname.endsWith(ID)) return problem(503, 'service_unavailable');
      return Response.json({
        listing: { ...LISTING, ...changes },
        seller: SELLER,
        preview,
        closedRails,
        x402Path: null,
        ratings: { average: 0, count: 0 },
        quality: null,
      });
    };
  }
  const post = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });

  test('with a title of 10,000 characters is a page all the same', async () => {
    const html = await (await visit(`/listings/${ID}`, listingApi({ title: 'x'.repeat(10_000) }))).text();
    expect(/<title>(.*?)<\/title>/.exec(html)?.[1]?.length).toBeLessThan(200);
    expect(html).toContain('Buy for $26.00');
    expect(/<h1 class="for-sale long">(.*?)<\/h1>/s.exec(html)?.[1]?.length).toBeLessThan(400);
  });

  test('with long texts in its sample, shows them in places that scroll', async () => {
    const html = async (words: number) =>
      (await visit(`/listings/${ID}`, listingApi({}, { preview: { text: 'word '.repeat(words) } }))).text();
    expect(await html(3)).not.toContain('aria-label="Long text"');
    const long = await html(2000);
    expect(long).toMatch(
      /<bdi class="seller-text tree-text" dir="auto" role="region" aria-label="Long text" tabindex="0"/,
    );
    expect(long).toMatch(/<pre role="region" aria-label="Preview from the seller[^"]*" tabindex="0"/);
  });

  test('says which way to pay is closed, and until when', async () => {
    const closedRails = [
      { rail: 'checkout', opensAt: '2026-11-24T00:00:00Z', reason: 'budget_spent' },
      { rail: 'x402', opensAt: null, reason: 'unavailable' },
    ];
    const html = await (await visit(`/listings/${ID}`, listingApi({}, { closedRails }))).text();
    expect(html).toContain('Closed until 2026-11-24 00:00 UTC.');
    expect(html).toContain('Closed for now.');
    expect(html).toMatch(/<input id="pay-card" [^>]*disabled/);
    expect(html).not.toMatch(/<input id="pay-wallet" [^>]*disabled/);
  });

  test.each([
    ['a query that does not fit', {}, { 'q/port': '' }, 422, 'Fill this in: the seller needs it.'],
    [
      'a listing that is not for sale',
      { status: 'inactive' },
      { 'q/port': 'Cork' },
      422,
      'It is not for sale now.',
    ],
    ['one that is sold out', { maxCopies: 1, soldCount: 1 }, { 'q/port': 'Cork' }, 422, 'Sold out.'],
  ])('sends nothing for %s', async (_, changes, fields, status, text) => {
    bought.length = 0;
    const response = await visit(`/listings/${ID}`, listingApi(changes), post(fields));
    expect([response.status, response.headers.get('cache-control'), bought]).toEqual([
      status,
      'no-store',
      [],
    ]);
    expect(await response.text()).toContain(text);
  });

  test.each([
    [503, 'service_unavailable', 'cannot do this right now', 'Nothing was charged.'],
    [503, 'payments_not_available', 'Cards are not taken here now.', 'Nothing was charged.'],
    [409, 'price_above_max', 'asks for more than this page shows', 'Nothing was charged.'],
    [500, 'internal_error', 'Title of internal_error.', 'It is taken once at most'],
  ])('%i %s: what happened, and what happened to the money', async (status, code, what, money) => {
    bought.length = 0;
    const api = listingApi({}, { purchase: () => problem(status, code) });
    const response = await visit(
      `/listings/${ID}`,
      api,
      post({ 'q/port': "O'Brien", order: 'once', price: '2600' }),
    );
    const html = await response.text();
    expect(response.status).toBe(status);
    expect(html).toContain(what);
    expect(html).toContain(money);
    // What was typed in is still there, and no more than the page showed is paid.
    expect(html).toContain('value="O&#39;Brien"');
    expect(bought).toEqual([
      { max_price_cents: 2600, payment_method: 'checkout', query: { port: "O'Brien" } },
    ]);
  });

  test.each(['a\nb', '\0', '漢字', ''])('an order called %j is sent as any other', async (order) => {
    bought.length = 0;
    await visit(`/listings/${ID}`, listingApi({}), post({ 'q/port': 'Cork', order, price: '2600' }));
    expect(bought).toHaveLength(1);
  });
});

test.each([
  ['a page of ours', { 'sec-fetch-site': 'same-origin' }, false],
  ['an old browser on a page of ours', { origin: ORIGIN }, false],
  ['a page without a referrer, in an old browser', { origin: 'null' }, false],
  ['another site', { 'sec-fetch-site': 'cross-site' }, true],
  ['a neighbouring host', { 'sec-fetch-site': 'same-site' }, true],
  ['an old browser on another site', { origin: 'https://evil.example' }, true],
])('a form of %s', async (_, headers, isRefused) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
  const response = await visit('/verify', down, { method: 'POST', headers: form, body: 'pasted=x' });
  expect(response.status === 403).toBe(isRefused);
});
