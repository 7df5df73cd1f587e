import type { QueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { afterAll, expect } from 'vitest';
import { judgeChain, receivedUnits, UNITS_PER_CENT } from './chain-judgement.ts';
import { createOracle } from './create-oracle.ts';
import { PlatformBank } from './platform-bank.ts';
import { isReturned } from './processor-log.ts';

/** From outside: what differs at the card processor, in wallets, with sellers, and on chain. */
export function createBothOracles(
  { market, sales, chain }: QueryMarketplace,
  { bank = new PlatformBank(), depositedCents = 0 } = {},
) {
  const { request } = market;
  const ask = async (path: string, apiKey: string) => (await request('GET', path, { apiKey })).json();
  const isPaidOut = (id: string) =>
    bank.seen(id).payouts.length > 0 ||
    sales.cards.transfers.some((one) => one.purchaseId === id && !isReturned(one));
  const oracle = createOracle(market, sales.cards, [({ id }) => bank.seen(id)], {
    paysFor: ({ id, sellerId, status }) =>
      status === 'released' && oracle.journal.wallets.has(sellerId) && !isPaidOut(id),
    receivedCents: (sellerId) => Number(receivedUnits(chain, journal.wallets.get(sellerId)) / UNITS_PER_CENT),
  });
  const { journal } = oracle;
  return {
    oracle,
    differences: async () => [
      // Where no card ever paid there is nothing but the chain to judge.
      ...(sales.cards.payments.length === 0 ? [] : await oracle.differences({ everything: true })),
      ...(await judgeChain({
        journal,
        processor: sales.cards,
        bank: (id) => bank.seen(id),
        chain,
        depositedCents,
        mayLack: (id) => oracle.mayLack(id),
        ask,
      })),
    ],
  };
}

/** What happened in a whole file is judged at its end. `depositedCents`: what strangers sent for nothing, less what left for nothing. */
export function judgeAtEnd(query: QueryMarketplace, { depositedCents = 0 } = {}): void {
  const { differences } = createBothOracles(query, { depositedCents });
  // All sellers of a file are asked what they sold.
  afterAll(async () => {
    await query.heal();
    await query.sales.pass(3600_000);
    expect(await differences(), 'who is owed what, by what was seen outside').toEqual([]);
  }, 300_000);
}
