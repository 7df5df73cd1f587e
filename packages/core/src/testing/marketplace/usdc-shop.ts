import { expect } from 'vitest';
import { verifiedSellerOf } from '../fixtures/new-listing.ts';
import type { RegisteredAgent } from '../fixtures/new-seller.ts';
import { newAccount } from '../suites/chain.harness.ts';
import type { QueryMarketplace } from './query-marketplace.ts';

/** Sellers who are paid in USDC, and who buys from them out of a wallet. */
export function createUsdcShop({ sales, market, chain }: QueryMarketplace) {
  /** Proves an account to be the seller's, to be paid there. */
  async function bind(seller: RegisteredAgent, account = newAccount(), more: object = {}) {
    const challenge = await sales.request('POST', '/sell/payout-wallet/challenge', seller.apiKey, {
      address: account.address,
    });
    expect(challenge.status).toBe(200);
    const { nonce, message } = challenge.body as unknown as { nonce: string; message: string };
    const signature = await account.signMessage({ message });
    const proof = { nonce, signature, ...more };
    const bound = await sales.request('POST', '/sell/payout-wallet', seller.apiKey, proof);
    expect(bound.status, JSON.stringify(bound.body)).toBe(200);
    return account;
  }

  return {
    bind,

    /** A seller with a wallet and no account at the card processor, and a buyer with credits. */
    async open() {
      const seller = await verifiedSellerOf(market);
      const account = await bind(seller);
      const buyer = await sales.newAgent({ name: 'Buyer' });
      await sales.fund(buyer, 20_000);
      return { seller, account, buyer };
    },

    async sell(seller: RegisteredAgent, buyer: RegisteredAgent, priceCents: number): Promise<string> {
      const { id } = await sales.listing({ priceCents }, seller);
      const { body } = await sales.buy(id, buyer, { body: { payment_method: 'wallet' } });
      expect(body.status).toBe('held');
      return body.id;
    },

    /** What came to an account by transfers, each in units. */
    received: (address: string): bigint[] =>
      chain.transfers
        .filter(({ to }) => to.toLowerCase() === address.toLowerCase())
        .map(({ units }) => units),

    statusOf: async (purchaseId: string): Promise<string | undefined> =>
      (await sales.rows<{ status: string }>('SELECT status FROM purchases WHERE id = ?', purchaseId))[0]
        ?.status,
  };
}
