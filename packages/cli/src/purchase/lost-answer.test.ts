import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { startStubMarketplace } from '../../../sdk/src/testing/stub-marketplace.ts';
import { EXIT_CODES } from '../frame/exit-codes.data.ts';
import { createCliHome } from '../testing/run-cli.ts';
import { startServer } from '../testing/start-server.ts';

// After a request that may have moved money was sent, no failure says that nothing happened.

const stub = await startStubMarketplace(await createSigningParty());
const home = await createCliHome({ AGENT_MARKET_URL: stub.baseUrl, AGENT_MARKET_KEY: 'mkt_live_k' });
afterAll(async () => {
  await home.remove();
  await stub.close();
});

const listing = { id: 'l-1', title: 'Tides', priceCents: 90, queryRequired: false };
const LISTING = { body: { listing: { ...listing, exampleQuery: null, inputSchema: null } } };
const refusal = (status: number, code: string, more = {}) => ({
  status,
  headers: { 'retry-after': '0' },
  body: { code, title: 'No.', detail: 'See.', status, requestId: 'r', charged: false, ...more },
});
const { unresolved, unreachable, not_bought, try_later } = EXIT_CODES;

/** The listing is answered, and what is sent after it is lost. */
const lost = () =>
  stub.answers((call) => (call.method === 'GET' && call.path.includes('/listings/') ? LISTING : null));
const buy = (...more: string[]) => home.run(['buy', 'l-1', '--yes', ...more]);
const KEY = ['--idempotency-key', 'k-1'];

describe('an answer that is lost', () => {
  it('of a purchase tells what may be charged, and how to look', async () => {
    lost();
    // The connection is cut at each; they wait for their tries together.
    const [wallet, auto, link, json] = await Promise.all([
      buy('--pay', 'wallet', ...KEY),
      buy(),
      buy('--pay', 'link', ...KEY),
      buy('--pay', 'card', ...KEY, '--json'),
    ]);
    for (const { exitCode } of [wallet, auto, link, json]) expect(exitCode).toBe(unresolved.code);
    const look = 'agent-market purchases list --idempotency-key k-1';
    expect(wallet.stderr).toContain(
      `Buying.\nagent-market: The answer was lost; $0.90 may be charged.\nLook: ${look}\n`,
    );
    expect(wallet.stderr).not.toMatch(/address|Nothing was charged/);
    expect(auto.stderr).toMatch(/Look: agent-market purchases list --idempotency-key [\w-]{36}\n/);
    expect(link.stderr).toContain('The answer was lost; a page to pay may be open');
    expect(json.json.error).toMatchObject({
      code: 'network_error',
      charged: null,
      idempotencyKey: 'k-1',
      look,
    });
  });

  it('of a collection or the wallet tells so too', async () => {
    lost();
    const [collect, wait, fund, recharge] = await Promise.all([
      home.run(['purchases', 'collect', 'p-1']),
      home.run(['purchases', 'collect', 'p-1', '--wait']),
      home.run(['wallet', 'fund', '--amount-cents', '5000']),
      home.run(['wallet', 'recharge', '--below-cents', '500', '--amount-cents', '2000']),
    ]);
    const messageOf = (outcome: string, look: string) =>
      `agent-market: The answer was lost; ${outcome}\nLook: agent-market ${look}\n`;
    for (const run of [collect, wait]) {
      expect(run.stderr).toContain(messageOf('what is reserved may be charged.', 'purchases show p-1'));
    }
    expect(fund.stderr).toContain(
      messageOf('a page to pay $50.00 may be open, and nothing is charged before it is paid.', 'wallet'),
    );
    expect(recharge.stderr).toContain(messageOf('the saved card may be charged.', 'wallet'));
    for (const run of [collect, wait, fund, recharge]) expect(run.exitCode).toBe(unresolved.code);
  });

  it('or that is not the marketplace’s tells where to look for what it was about', async () => {
    const other = await createSigningParty();
    stub.answers(LISTING, { body: { id: 'p-1' }, signedBy: other });
    const bought = await buy('--pay', 'wallet', ...KEY);
    stub.answers({ body: { topUpId: 't-1' }, signedBy: other });
    const fund = await home.run(['wallet', 'fund', '--amount-cents', '5000', '--json']);
    stub.answers({ body: { listing: { id: 'l-1' } }, signedBy: other });
    const listing = await home.run(['listings', 'deactivate', 'l-1']);
    for (const run of [bought, fund, listing]) expect(run.exitCode).toBe(EXIT_CODES.untrusted.code);
    expect(bought.stderr).toMatch(
      /on its way; \$0\.90 may be charged\.\nIt is not shown\..*\nLook: agent-market purchases list --idempotency-key k-1\n$/,
    );
    expect(fund.json.error).toMatchObject({ look: 'agent-market wallet' });
    expect(listing.stderr).not.toContain('purchases');
  });

  it.each([
    ['a proxy answers in its place', [{ status: 502, body: '<html>' }], unresolved],
    ['the first try is still at work', [refusal(409, 'idempotency_in_flight')], unresolved],
    ['the next try comes too soon', [null, refusal(429, 'rate_limited')], unresolved],
    ['the next try finds out', [null, refusal(402, 'wallet_insufficient')], not_bought],
    ['none was lost', [refusal(429, 'rate_limited')], try_later],
  ] as const)('or not: %s', async (_, replies, exit) => {
    stub.answers(LISTING, ...replies);
    const { exitCode, stderr } = await buy(...KEY);
    expect(exitCode, stderr).toBe(exit.code);
    expect(stderr.includes('$0.90 may be charged.\nLook: '), stderr).toBe(exit === unresolved);
    expect(stderr.includes('Nothing was charged'), stderr).toBe(exit !== unresolved);
  });

  it('of a request that never left, or that moves no money, is no such thing', async () => {
    const closed = await startServer(() => {});
    await closed.close();
    const nowhere = { AGENT_MARKET_URL: `${closed.url}/api` };
    lost();
    const [fund, show, stranger] = await Promise.all([
      home.run(['wallet', 'fund', '--amount-cents', '5000'], { env: nowhere }),
      home.run(['purchases', 'show', 'p-1']),
      // Without a key, nothing is charged before the page is paid, which nobody has seen.
      home.run(['buy', 'l-1', '--yes'], { env: { AGENT_MARKET_KEY: '' } }),
    ]);
    for (const run of [fund, show, stranger]) expect(run.exitCode, run.stderr).toBe(unreachable.code);
    expect(fund.stderr).toContain('ECONNREFUSED');
  });
});
