import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { describe, expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { createFaultWorld, HOLD_MS } from './fault-world.ts';

// The fee of real sales, at the edges of its bands: on the purchase, on its receipt, in the ledger, and in what
// the seller is sent. Every other price is tried against the same table in fees/fee-schedule.rules.test.ts.

const world = await createFaultWorld();
/** The published table, in whole numbers of any size. */
function oracle(price: bigint): bigint {
  if (price < 2000n) return 0n;
  if (price < 5_000_000n) return (price * 500n) / 10_000n;
  const fee = (price * 50n) / 10_000n;
  return fee < 24_900n ? 24_900n : fee > 499_500n ? 499_500n : fee;
}

const WALLET_CAP_CENTS = 50_000;

async function buyerOf(priceCents: number): Promise<{ buyer: RegisteredAgent; method: 'wallet' | 'card' }> {
  const method = priceCents <= WALLET_CAP_CENTS ? 'wallet' : 'card';
  const buyer = await world.newBuyer(method, Math.max(priceCents, 1000));
  return { buyer, method };
}

describe("Fees at the edges of their bands equal a BigInt oracle's", () => {
  clause('fees.micro', 'fees.standard', 'fees.high-ticket');
  it.each([
    1, 1999, 2000, 2019, 2020, 4_999_999, 5_000_000, 5_000_199, 5_000_200,
    // Where half a percent would be the floor: below its band, so that nothing changes there.
    4_979_999, 4_980_000, 4_980_001,
    // Where half a percent reaches the cap.
    99_899_999, 99_900_000, 99_900_199, 99_999_999,
  ])('a sale at %i cents', async (priceCents) => {
    const fee = Number(oracle(BigInt(priceCents)));
    const { id } = await world.listing({ priceCents });
    const { buyer, method } = await buyerOf(priceCents);
    const [feesBefore, escrowBefore] = [
      await world.account('fees'),
      await world.account(`escrow:${world.seller.id}`),
    ];
    const { body } = await world.buy(id, buyer, { body: { payment_method: method } });
    expect([body.platformFeeCents, body.receipt?.statement.platformFeeCents]).toEqual([fee, fee]);
    expect([
      (await world.account('fees')) - feesBefore,
      (await world.account(`escrow:${world.seller.id}`)) - escrowBefore,
    ]).toEqual([fee, priceCents - fee]);
    world.market.clock.advance(HOLD_MS);
    await world.expectAllWell();
    const sent = world.cards.transfers.filter(({ purchaseId }) => purchaseId === body.id);
    expect(sent.map(({ amountCents }) => BigInt(amountCents) + oracle(BigInt(priceCents)))).toEqual([
      BigInt(priceCents),
    ]);
  });

  clause('fees.free');
  it('nothing is taken of what is free', async () => {
    const { id } = await world.listing({ priceCents: 0 });
    const feesBefore = await world.account('fees');
    const { status, body } = await world.buy(id, await world.newAgent());
    expect([status, body.platformFeeCents, (await world.account('fees')) - feesBefore]).toEqual([200, 0, 0]);
  });
});
