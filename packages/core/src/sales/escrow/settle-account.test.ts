import { expect, it } from 'vitest';
import { verifiedSellerOf } from '../../testing/fixtures/new-listing.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { settleAccount } from './settle-account.ts';

const sales = createSalesMarketplace();

it('brings priced listings live once the processor pays their seller, and no sooner', async () => {
  const seller = await verifiedSellerOf(sales.market);
  const accountId = await sales.connect(seller);
  const { id } = await sales.listing({}, seller);
  const statusAfter = async () => {
    await settleAccount(sales.market.newPorts(), accountId);
    const [row] = await sales.rows<{ status: string }>('SELECT status FROM listings WHERE id = ?', id);
    return row?.status;
  };
  expect(await statusAfter()).toBe('pending');
  sales.cards.onboard(accountId, 'pending');
  expect(await statusAfter()).toBe('pending');
  sales.cards.onboard(accountId);
  expect(await statusAfter()).toBe('active');
});
