import { beforeEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { sendMail } from '../mail/index.ts';
import { createSalesMarketplace, sessionOf } from '../testing/marketplace/sales-marketplace.ts';
import { writeReceiptMails } from './index.ts';

const world = createSalesMarketplace();
beforeEach(() => {
  world.market.mail.tried.length = 0;
});

async function buyFor(priceCents: number, body: object) {
  const buyer = await world.newAgent();
  if (priceCents > 0) await world.fund(buyer, 5000);
  const listing = await world.listing({ priceCents, title: 'Tide tables' });
  const listingId = typeof listing === 'string' ? listing : (listing as { id: string }).id;
  return (await world.buy(listingId, buyer, { body })).body;
}

async function mail() {
  const written = await writeReceiptMails(world.market.newPorts());
  await sendMail(world.market.newPorts());
  return { written, sent: world.market.mail.tried };
}

describe('a receipt by mail', () => {
  clause('purchasing.email');
  it('goes to the address given with a purchase that was paid and delivered, once', async () => {
    const bought = await buyFor(1500, { email: 'buyer@example.com' });
    expect(bought.status).toBe('held');
    expect((await mail()).written).toBe(1);
    const { written, sent } = await mail();
    expect(written).toBe(0);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ to: 'buyer@example.com', reference: `purchase_receipt:${bought.id}` });
    for (const part of [bought.id, 'USD 15.00', '"Tide tables"', String(bought.contentDigest)]) {
      expect(sent[0]?.text).toContain(part);
    }
    const signed = sent[0]?.text.split('\n').find((line) => line.startsWith('{')) ?? '';
    expect(JSON.parse(signed)).toEqual(bought.receipt);
  });

  it('goes out for what was free too, without the words of a stranger', async () => {
    const bought = await buyFor(0, { email: 'free@example.com' });
    const { sent } = await mail();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ to: 'free@example.com', subject: expect.stringContaining('USD 0.00') });
    for (const part of [bought.id, String(bought.contentDigest)]) expect(sent[0]?.text).toContain(part);
    expect(sent[0]?.text).not.toContain('Tide tables');
  });

  it('goes to one address three times a day at most for what was free, however it is spelled', async () => {
    for (const email of ['many@example.com', 'MANY@example.com', 'many@EXAMPLE.com', 'many@example.com']) {
      await buyFor(0, { email });
    }
    expect((await mail()).sent).toHaveLength(3);
    // What was paid for is not among those counted away.
    await buyFor(1500, { email: 'many@example.com' });
    expect((await mail()).sent).toHaveLength(4);
    world.market.clock.advance(25 * 3_600_000);
    await buyFor(0, { email: 'many@example.com' });
    expect((await mail()).sent).toHaveLength(5);
  });

  it('goes to the address of the purchase where the card processor knows the buyer by another', async () => {
    const buyer = await world.newAgent({ name: 'Private Name', email: 'agent@example.com' });
    await world.saveCard(buyer);
    const listing = (await world.listing({ priceCents: 1500 })) as { id: string };
    const body = { email: 'books@example.com', payment_method: 'checkout' };
    const { body: opened } = await world.buy(listing.id, buyer, { body });
    world.cards.payCheckout(sessionOf(opened.checkoutUrl));
    expect((await world.read(opened.id, buyer)).body.status).toBe('held');
    expect((await mail()).sent.map(({ to }) => to)).toEqual(['books@example.com']);
  });

  it('needs an address', async () => {
    await buyFor(1500, {});
    expect(await mail()).toEqual({ written: 0, sent: [] });
  });

  it('is not sent where nothing was delivered', async () => {
    world.market.sellerEndpoint.script = () => ({ kind: 'timed_out' });
    await buyFor(1500, { email: 'buyer@example.com' });
    expect(await mail()).toEqual({ written: 0, sent: [] });
  });
});
