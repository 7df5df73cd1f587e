import { readFile } from 'node:fs/promises';
import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, expect, it } from 'vitest';
import { startStubMarketplace } from '../../../sdk/src/testing/stub-marketplace.ts';
import { EXIT_CODES } from '../frame/exit-codes.data.ts';
import { createCliHome } from '../testing/run-cli.ts';

// What the commands ask the marketplace for, and what they make of its answers.

const stub = await startStubMarketplace(await createSigningParty());
const env = { AGENT_MARKET_URL: stub.baseUrl, AGENT_MARKET_KEY: 'mkt_live_k' };
const home = await createCliHome(env);
afterAll(async () => {
  await home.remove();
  await stub.close();
});
const sentRequests = () =>
  stub.calls.map(({ method, path, body }) => [method, path, body && JSON.parse(body)]);

it('buy --pay card charges the saved card, at most for the price that was shown', async () => {
  const listing = { id: 'l-1', title: 'Tides', priceCents: 900, queryRequired: false };
  const declined = { code: 'card_declined', title: 'No.', status: 402, charged: false, requestId: 'r' };
  stub.answers(
    { body: { listing: { ...listing, exampleQuery: null, inputSchema: null } } },
    { status: 402, body: declined },
  );
  const { exitCode, json } = await home.run(['buy', 'l-1', '--pay', 'card', '--yes', '--json']);
  expect([exitCode, json.error.code]).toEqual([EXIT_CODES.not_bought.code, 'card_declined']);
  const purchase = { payment_method: 'card', max_price_cents: 900 };
  expect(sentRequests()[1]).toEqual(['POST', '/api/marketplace/listings/l-1/purchase', purchase]);
});

const TOP_UP = { topUpId: 't-1', checkoutUrl: 'https://pay.example/t-1' };
const ENTRY = {
  topUpId: 't-1',
  createdAt: '2026-06-01T12:00:00.000Z',
  kind: 'top_up',
  amountCents: 1000,
  balanceCents: 1000,
  listingTitle: null,
};
const wallet = (open: boolean, paid: boolean) => ({
  body: {
    balanceCents: paid ? 1000 : 0,
    refundCreditCents: 0,
    reservedCents: 0,
    availableToFundCents: 50_000,
    savedCard: null,
    autoRecharge: { enabled: false },
    openTopUps: open ? [{ ...TOP_UP, amountCents: 1000 }] : [],
    recentActivity: paid ? [ENTRY] : [],
  },
});

it('wallet fund --wait ends once it is paid, or its page is closed', async () => {
  let naps = 0;
  const sleep = async () => {
    naps += 1;
  };
  const fund = () => home.run(['wallet', 'fund', '--amount-cents', '1000', '--wait', '--json'], { sleep });
  stub.answers({ status: 201, body: TOP_UP }, wallet(true, false), wallet(true, false), wallet(false, true));
  const paid = await fund();
  expect([paid.exitCode, paid.json.balanceCents, naps]).toEqual([0, 1000, 2]);
  expect(paid.stderr).toContain('To pay $10.00, open: https://pay.example/t-1');
  stub.answers({ status: 201, body: TOP_UP }, wallet(false, false), { body: { transactions: [] } });
  const closed = await fund();
  expect([closed.exitCode, closed.json.error]).toMatchObject([
    EXIT_CODES.not_bought.code,
    { charged: false, topUpId: 't-1' },
  ]);
});

it('purchases dispute sends the reason', async () => {
  stub.answers({ body: { purchaseId: 'p-1', status: 'open' } });
  const { exitCode, stdout } = await home.run(['purchases', 'dispute', 'p-1', '--reason', 'It is empty.']);
  expect([exitCode, stdout]).toEqual([
    0,
    'Disputed. The operator decides; see agent-market purchases show p-1\n',
  ]);
  expect(sentRequests()).toEqual([
    ['POST', expect.stringMatching(/p-1\/dispute$/), { reason: 'It is empty.' }],
  ]);
});

it('orders ship sends carrier and number', async () => {
  stub.answers({ body: { purchaseId: 'p-1' } });
  const parcel = ['--carrier', 'La Poste', '--tracking-number', '6A0'];
  const { stdout } = await home.run(['orders', 'ship', 'p-1', ...parcel]);
  expect(stdout).toBe('Recorded: La Poste 6A0.\n');
  expect(sentRequests()).toEqual([
    ['POST', expect.stringMatching(/p-1\/ship/), { carrier: 'La Poste', trackingNumber: '6A0' }],
  ]);
  expect((await home.run(['orders', 'ship', 'p-1', '--carrier', 'x'])).exitCode).toBe(EXIT_CODES.usage.code);
});

it('keys rotate --save-as keeps the new text in that profile, and does not print it', async () => {
  const rotated = {
    apiKey: 'mkt_live_new',
    key: { id: 'k-2', label: 'bot' },
    replacedEndsAt: '2026-06-01T13:00:00Z',
  };
  stub.answers({ body: { keys: [], callerKeyId: 'k-1' } }, { status: 201, body: rotated });
  const args = ['keys', 'rotate', 'k-2', '--overlap-hours', '0', '--save-as', 'bot', '--json'];
  const kept = await home.run(args);
  expect(kept.json, kept.stderr).toMatchObject({ profile: 'bot', key: { id: 'k-2' } });
  expect(kept.stdout + kept.stderr).not.toContain('mkt_live_new');
  expect(sentRequests()[1]).toEqual(['POST', expect.stringContaining('k-2/rotate'), { overlapHours: 0 }]);
  const config = JSON.parse(await readFile(home.configPath, 'utf8'));
  expect(config.profiles.bot).toEqual({ url: stub.baseUrl, apiKey: 'mkt_live_new' });
});

it('events --follow --json prints one event a line, and nothing else at Ctrl-C', async () => {
  const event = {
    sequence: 1,
    createdAt: '2026-06-01T12:00:00.000Z',
    type: 'listing.sold',
    link: null,
    data: {},
  };
  const follow = async (events: (typeof event)[]) => {
    const controller = new AbortController();
    const page = { events, missed: 0, nextAfter: events.length, lastSequence: events.length };
    stub.answers({ body: page }, () => {
      controller.abort();
      return { body: { ...page, events: [] } };
    });
    return home.run(['events', '--follow', '--json'], { interrupt: controller.signal });
  };
  const { exitCode, stdout, stderr } = await follow([event]);
  expect([exitCode, stderr, JSON.parse(stdout)]).toEqual([EXIT_CODES.interrupted.code, '', event]);
  expect(stdout.split('\n')).toHaveLength(2);
  expect((await follow([])).stdout).toBe('');
  stub.answers({ status: 401, body: { code: 'api_key_revoked', title: 'No.', status: 401, requestId: 'r' } });
  const refused = await home.run(['events', '--follow', '--json']);
  expect([refused.exitCode, refused.stdout.split('\n').length]).toEqual([EXIT_CODES.key.code, 2]);
});

it('names the option, not the field of the API, that is wrong', async () => {
  const fields = [{ path: 'amount_cents', message: 'must be at least 1000' }];
  const body = { code: 'validation_failed', title: 'No.', status: 400, requestId: 'r', errors: fields };
  stub.answers({ status: 400, body });
  const { exitCode, stderr } = await home.run(['wallet', 'fund', '--amount-cents', '5']);
  expect([exitCode, stderr]).toEqual([
    EXIT_CODES.refused.code,
    expect.stringContaining('\n--amount-cents: must be at least 1000\n'),
  ]);
});

it('show says how to buy it, with the query that it needs, quoted for the shell', async () => {
  const listing = {
    id: 'l-1',
    title: 'Tides',
    description: 'High water.',
    priceCents: 0,
    verticalName: 'Weather',
    status: 'active',
    listingType: 'standard',
    ratingCount: 0,
    inputSchema: null,
    exampleQuery: { city: "L'Aquila" },
  };
  const seller = { name: 'A', reputation: 50, deliveredCount: 0, failedCount: 0 };
  const lastLineOf = async (more: object) => {
    stub.answers({ body: { listing: { ...listing, ...more }, seller, preview: {}, closedRails: [] } });
    return (await home.run(['show', 'l-1'])).stdout.trimEnd().split('\n').at(-1);
  };
  expect(await lastLineOf({ queryRequired: false, exampleQuery: null })).toBe('Buy it: agent-market buy l-1');
  expect(await lastLineOf({ queryRequired: false, priceCents: 1, priceMicros: 500 })).toBe(
    'Ask many queries on a tab: agent-market tab open l-1 --amount-cents 100',
  );
  const quoted = `'{"city":"L'\\''Aquila"}'`;
  // What a query is like is shown wherever it is known.
  for (const queryRequired of [true, false])
    expect(await lastLineOf({ queryRequired })).toBe(`Buy it: agent-market buy l-1 --query ${quoted}`);
  expect(await lastLineOf({ queryRequired: true, exampleQuery: null })).toBe(
    "Buy it: agent-market buy l-1 --query '{…}'",
  );
});
