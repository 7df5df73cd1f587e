import { expect, it } from 'vitest';
import { createQueryMarketplace } from '../testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { newNonce } from '../testing/suites/chain.harness.ts';
import { bookGasCosts } from './index.ts';

const query = createQueryMarketplace();
const { sales, market, chain } = query;

async function balances() {
  const headers = { 'x-mkt-admin': TEST_ADMIN_SECRET };
  const answer = await market.request('GET', '/admin/reconciliation', { headers });
  const { balances: rows, findings } = (await answer.json()) as {
    balances: { account: string; amount: number; currency: string }[];
    findings: { check: string }[];
  };
  return { rows, findings };
}

it('posts what transactions cost once, in gwei, and leaves cents as they are', async () => {
  const before = await balances();
  const cents = ({ rows }: typeof before) => rows.filter(({ currency }) => currency === 'usd');
  chain.spent.push({ id: 1, transaction: newNonce(), wei: 1_234_567_890_123n });
  chain.spent.push({ id: 2, transaction: newNonce(), wei: 499_999_999n });
  const [one, other] = await Promise.all([bookGasCosts(market.newPorts()), bookGasCosts(market.newPorts())]);
  expect([one, other]).toEqual([2, 2]);
  expect(await bookGasCosts(market.newPorts())).toBe(0);
  chain.spent.push({ id: 3, transaction: newNonce(), wei: 1_000_000_000n });
  expect(await bookGasCosts(market.newPorts())).toBe(1);
  expect([await sales.account('gas'), await sales.account('relayer_gas')]).toEqual([-1236, 1236]);
  const after = await balances();
  expect(cents(after)).toEqual(cents(before));
  expect(after.rows.filter(({ currency }) => currency === 'gwei')).toHaveLength(2);
  const checks = after.findings.map(({ check }) => check);
  expect(checks).toEqual(before.findings.map(({ check }) => check));
  const rows = await sales.rows<{ wei: string }>('SELECT wei FROM gas_costs ORDER BY entry_id');
  expect(rows.map(({ wei }) => wei)).toEqual(['1234567890123', '499999999', '1000000000']);
});

it('posts nothing while the account cannot be asked, and all of it later', async () => {
  chain.spent.push({ id: 4, transaction: newNonce(), wei: 5_000_000_000n });
  chain.fault = ({ method }) => (method === 'gasCosts' ? 'lose_reply' : undefined);
  expect(await bookGasCosts(market.newPorts())).toBe(0);
  chain.fault = () => undefined;
  expect(await bookGasCosts(market.newPorts())).toBe(1);
  expect(await sales.account('relayer_gas')).toBe(1241);
});
