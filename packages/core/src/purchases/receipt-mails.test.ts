import { beforeEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { sendMail } from '../mail/index.ts';
import { createSalesMarketplace } from '../testing/sales-marketplace.ts';
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

  it('is never sent for what was free: anybody could have it sent to anybody', async () => {
    expect((await buyFor(0, { email: 'stranger@example.com' })).status).toBe('released');
    expect(await mail()).toEqual({ written: 0, sent: [] });
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
