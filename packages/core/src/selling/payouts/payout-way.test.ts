import { expect, it } from 'vitest';
import { insertInto } from '../../db/insert-into.ts';
import { payoutWallets } from '../../db/tables/payouts.ts';
import { verifiedSellerOf } from '../../testing/fixtures/new-listing.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createQueryMarketplace } from '../../testing/marketplace/query-marketplace.ts';
import { createUsdcShop } from '../../testing/marketplace/usdc-shop.ts';
import { getSellerDashboard } from '../index.ts';

const query = createQueryMarketplace();
const { market, sales, chain } = query;
const { bind } = createUsdcShop(query);
const ADDRESS: `0x${string}` = `0x${'a'.repeat(40)}`;

async function bindOn(chainId: number, { id: sellerId }: RegisteredAgent): Promise<void> {
  const boundAt = new Date(market.clock.now()).toISOString();
  await market
    .newPorts()
    .market.commit([insertInto(payoutWallets, { sellerId, chainId, address: ADDRESS, boundAt })]);
}

async function paidTo({ apiKey }: RegisteredAgent) {
  const { json } = await market.call(getSellerDashboard, {}, { apiKey });
  return (json.payouts as { paidTo: string | null }).paidTo;
}

it('which way payouts go: to the account that is enabled, else nowhere yet', async () => {
  expect(await paidTo(await verifiedSellerOf(market))).toBeNull();
  expect(await paidTo(await sales.seller())).toBe('account');
});

it('to a wallet of the marketplace’s chain rather than to the account', async () => {
  const seller = await sales.seller();
  await bindOn(chain.token.chainId, seller);
  expect(await paidTo(seller)).toBe('wallet');
});

it('never to a wallet of another chain, where it may be nobody’s', async () => {
  const [seller, withoutAccount] = [await sales.seller(), await verifiedSellerOf(market)];
  for (const one of [seller, withoutAccount]) await bindOn(chain.token.chainId + 1, one);
  expect([await paidTo(seller), await paidTo(withoutAccount)]).toEqual(['account', null]);
});

it('with the tax number that the seller gives beside its wallet, and replaces with a later one', async () => {
  const seller = await verifiedSellerOf(market);
  const kept = () =>
    sales.rows('SELECT country, tax_number FROM seller_tax_details WHERE seller_id = ?', seller.id);
  const account = await bind(seller, undefined, { tax: { country: 'de', taxNumber: 'DE 123 456 789' } });
  expect(await kept()).toEqual([{ country: 'DE', tax_number: 'DE 123 456 789' }]);
  await bind(seller, account, { tax: { country: 'AT', taxNumber: 'ATU12345678' } });
  expect(await kept()).toEqual([{ country: 'AT', tax_number: 'ATU12345678' }]);
  await bind(seller, account);
  expect(await kept(), 'without one it stays').toHaveLength(1);
});
