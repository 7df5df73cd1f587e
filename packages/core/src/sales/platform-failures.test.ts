import { expect, it } from 'vitest';
import type { MailboxAnswer } from '../kernel/ports/polling-mailbox.ts';
import { createQueryMarketplace } from '../testing/marketplace/query-marketplace.ts';

// What fails on the marketplace's own side is not counted against the seller, whichever way it is paid.

let reply: MailboxAnswer = { kind: 'timed_out' };
const x402 = createQueryMarketplace({
  pollingMailbox: { ask: async () => reply, pending: async () => [], answer: async () => 'unknown' },
});
const { sales, market } = x402;

it.each([
  ['unavailable', 0],
  ['busy', 0],
  // The one with a key counts once a day.
  ['timed_out', 2],
] as const)('a mailbox that is %s: counted for %i buyers of 2', async (kind, expected) => {
  reply = { kind };
  const seller = await sales.seller();
  const payer = x402.newPayer();
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 2000);
  await sales.saveCard(buyer);
  // Whoever never paid for anything does not count.
  const before = await sales.listing({ priceCents: 1000 });
  expect((await sales.buy(before.id, buyer, { body: { payment_method: 'wallet' } })).status).toBe(200);
  expect((await x402.query(before.id, await x402.pay(payer, before.id, 2))).status).toBe(200);
  await market.newPorts().market.commit([
    {
      sql: "UPDATE delivery_endpoints SET callback_type = 'polling' WHERE seller_id = ?",
      params: [seller.id],
    },
  ]);
  const free = await sales.listing({ priceCents: 0 }, seller);
  const priced = await sales.listing({ priceCents: 1000 }, seller);
  const refused = [
    await sales.buy(free.id, buyer),
    await sales.buy(priced.id, buyer, { body: { payment_method: 'wallet' } }),
    await sales.buy(priced.id, buyer, { body: { payment_method: 'card' } }),
    await x402.query(priced.id, await x402.pay(payer, priced.id, 2)),
  ];
  for (const { status, body } of refused) {
    expect(status).toBeGreaterThanOrEqual(kind === 'busy' ? 429 : 502);
    expect(body.charged).toBe(false);
  }
  await market.background.settled();
  const counted = await sales.rows('SELECT failed_count AS n FROM sellers WHERE agent_id = ?', seller.id);
  expect(counted).toEqual([{ n: expected }]);
  await sales.audit();
});
