import type { ChainVariables } from '@agent-marketplace/core/compose/chain-configuration.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { beforeAll, expect, it, vi } from 'vitest';

// A variable of the chain that is missing or malformed closes the rail of USDC, with an alarm, and no other rail.

const NODE = { X402_RPC_URL: 'https://node.example' };
const PAY_TO = { X402_PAY_TO: '0x00000000000000000000000000000000000000aa' };

const sales = createSalesMarketplace({}, { variables: NODE, operations: x402Operations });

let id: string;
let buyer: RegisteredAgent;
beforeAll(async () => {
  id = (await sales.listing({ priceCents: 100 })).id;
  buyer = await sales.newAgent();
  await sales.fund(buyer, 1000);
});

it('leaves cards, checkouts and wallets open', async () => {
  await sales.saveCard(buyer);
  for (const rail of ['wallet', 'card']) {
    const { status, body } = await sales.buy(id, buyer, { body: { payment_method: rail } });
    expect([status, body.status, body.rail]).toEqual([200, 'held', rail]);
  }
  const opened = await sales.buy(id, null, { body: { payment_method: 'checkout' } });
  expect(opened.body.checkoutUrl).toMatch(/^https:/);
});

it.each<ChainVariables>([
  PAY_TO,
  NODE,
  { X402_RPC_URL: 'node.example', ...PAY_TO },
  { ...NODE, X402_RELAYER_KEY: '0x12' },
  { ...NODE, ...PAY_TO, X402_GAS_IN_ALL: 'many' },
  { ...NODE, ...PAY_TO, X402_MIN_CENTS: '-1' },
])('is said once, and answered with 503 where USDC is asked for: %j', async (variables) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const market = createTestMarketplace({ variables, operations: [...apiOperations, ...x402Operations] });
  const refused = await market.request('GET', `/x402/listings/${id}/query`);
  expect(refused.status).toBe(503);
  // Waiting does not configure a chain.
  expect(await refused.json()).toMatchObject({ code: 'x402_not_available', retryable: false });
  expect(refused.headers.get('Retry-After')).toBeNull();
  for (const path of ['/marketplace/listings', '/x402/discovery/resources'])
    expect((await market.request('GET', path)).status).toBe(200);
  const shown = await market.request('GET', `/marketplace/listings/${id}`);
  expect(await shown.json()).toMatchObject({ x402Path: null });
  const bought = await market.request('POST', `/marketplace/listings/${id}/purchase`, {
    apiKey: buyer.apiKey,
    body: { payment_method: 'wallet' },
  });
  expect(bought.status).toBe(200);
  const alarms = logged.mock.calls.filter(([line]) => String(line).includes('x402_misconfigured'));
  expect(alarms).toHaveLength(1);
  logged.mockRestore();
});
