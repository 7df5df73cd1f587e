import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { describe, expect, it } from 'vitest';
import { breakAt, NOTHING, schedules } from './chain-schedules.ts';
import { CENT, createTabWorld } from './tab-world.ts';

// A listing priced by units is reserved at the most that a query may cost, and charged for what its seller used. What
// names more units than the listing allows is neither shown nor charged. Every call is broken here, one after the other.

const { x402, tabs, openAt, rowOf, salesOf, minutes, findings } = createTabWorld();
const { sales, market, chain } = x402;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Half a thousandth of a dollar for 1,000 tokens, and five cents at most. */
const METER = { unit: 'thousand_tokens', unitPriceMicros: 500, maxUnits: 100 } as const;
const MOST = 50_000;

const using = (units: unknown) => () => replied({ data: { answer: 42 }, units });

async function shop(meter: object = METER, price = { priceCents: 5, priceMicros: MOST }) {
  const seller = await sales.seller();
  const { id } = await sales.listing({ ...price, meter }, seller);
  const payer = x402.newPayer(10_000_000n);
  return { id, seller, payer, balance: () => Number(chain.balanceOf(payer.address)) };
}

async function openTab(cents = 100) {
  const found = await shop();
  return { ...found, tabId: await openAt(found, cents) };
}

const ask = (tab: Awaited<ReturnType<typeof openTab>>, sequence: number, ceilingMicros: number) =>
  tabs.ask(tab.payer, tab.tabId, { sequence, ceilingMicros });

describe('a query of a listing priced by units', () => {
  it('is charged for the units used, which its receipt names, and the rest is free again', async () => {
    const tab = await openTab(10);
    market.sellerEndpoint.script = async () => {
      expect(await rowOf(tab.tabId)).toMatchObject({ reserved_micros: MOST, charged_micros: 0 });
      return using(7)();
    };
    const first = await ask(tab, 1, MOST);
    expect(first.body, first.text).toMatchObject({ content: { answer: 42 }, priceMicros: 3500, units: 7 });
    expect(first.body.receipt.statement).toMatchObject({
      amountMicros: 3500,
      unit: 'thousand_tokens',
      unitPriceMicros: 500,
      units: 7,
    });
    market.sellerEndpoint.script = using(7);
    const { body: repeated } = await ask(tab, 1, MOST);
    expect(repeated).toMatchObject({ priceMicros: 3500, units: 7, receipt: first.body.receipt });
    expect(await rowOf(tab.tabId)).toMatchObject({ reserved_micros: 0, charged_micros: 3500 });

    market.sellerEndpoint.script = using(100);
    expect((await ask(tab, 2, 2 * MOST)).body).toMatchObject({ priceMicros: MOST, units: 100 });
    // What is left is less than another query may cost.
    market.sellerEndpoint.script = using(1);
    expect((await ask(tab, 3, 2 * MOST)).body.code).toBe('tab_spent');

    const closed = await tabs.close(tab.payer, tab.tabId);
    expect(closed.body).toMatchObject({ chargedMicros: 53_500, restCents: 4 });
    await minutes();
    expect(await salesOf(tab.id)).toEqual([{ status: 'held', amount_cents: 6 }]);
    expect(await findings()).toEqual([]);
  });

  it.each([
    ['more units than the listing allows', using(101)],
    ['no units', sellerOf({ answer: 42 })],
    ['none at all', using(0)],
    ['less than nothing', using(-7)],
    ['a part of one', using(1.5)],
    ['a text', using('7')],
  ])('that names %s is neither shown nor charged', async (_, script) => {
    const tab = await openTab();
    market.sellerEndpoint.script = script;
    const refused = await ask(tab, 1, MOST);
    expect([refused.status, refused.body.code]).toEqual([502, 'delivery_invalid']);
    expect(refused.text).not.toContain('answer');
    expect(await rowOf(tab.tabId)).toMatchObject({ reserved_micros: 0, charged_micros: 0 });
  });

  it('needs a voucher for the most that it may cost', async () => {
    const tab = await openTab();
    market.sellerEndpoint.script = using(1);
    expect((await ask(tab, 1, MOST - 1)).body.code).toBe('tab_ceiling_too_low');
    expect((await ask(tab, 1, MOST)).body).toMatchObject({ priceMicros: 500 });
  });

  it('is sold by nothing that takes all that it reserves, and listed nowhere as if it were', async () => {
    const { id, payer } = await shop();
    const buyer = await sales.buyerWithCard();
    for (const payment_method of ['card', 'checkout']) {
      const refused = await market.request('POST', `/marketplace/listings/${id}/purchase`, {
        body: { payment_method },
        apiKey: buyer.apiKey,
      });
      expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'metered_listing' }]);
    }
    const asked = await x402.send('GET', `/x402/listings/${id}/query`, { headers: {} });
    expect([asked.status, asked.body.code]).toEqual([409, 'metered_listing']);
    const listed = await x402.send('GET', '/x402/discovery/resources?limit=100', { headers: {} });
    expect(listed.text).not.toContain(id);
    const detail = await market.request('GET', `/marketplace/listings/${id}`, {});
    expect(await detail.json()).toMatchObject({ x402Path: null, listing: { meter: METER, priceCents: 5 } });
    expect(payer.address).toBeDefined();
  });

  it('keeps the price that it was reserved at while its listing changes', async () => {
    const tab = await openTab();
    market.sellerEndpoint.script = async () => {
      const dearer = { meter: { ...METER, unitPriceMicros: 900 } };
      const changed = await market.request('PATCH', `/marketplace/listings/${tab.id}`, {
        body: dearer,
        apiKey: tab.seller.apiKey,
      });
      expect(changed.status, await changed.text()).toBe(200);
      return using(100)();
    };
    expect((await ask(tab, 1, MOST)).body).toMatchObject({ priceMicros: MOST });
    market.sellerEndpoint.script = using(2);
    expect((await ask(tab, 2, 10 * MOST)).body).toMatchObject({ priceMicros: 1800 });
  });
});

const CALLS = 13;

describe('whatever breaks', () => {
  it('makes no more calls than are broken below', async () => {
    const tab = await openTab();
    market.sellerEndpoint.script = using(7);
    const made = breakAt(x402, NOTHING);
    await ask(tab, 1, MOST);
    await market.background.settled();
    expect(made()).toBeLessThanOrEqual(CALLS);
  });

  it.each(schedules(CALLS))(
    'as a query is answered, at $at: $fault, dead after it: $isDeath; shown is charged what it used, and once',
    async (schedule) => {
      const tab = await openTab();
      market.sellerEndpoint.script = using(30);
      breakAt(x402, schedule);
      const broken = await ask(tab, 1, MOST);
      await x402.heal();
      const charged = async () => (await rowOf(tab.tabId))?.charged_micros;
      if (broken.status === 200) expect(await charged()).toBe(15_000);
      if (broken.body.charged === false) expect(await charged()).toBe(0);
      const again = await ask(tab, 1, MOST);
      const isShown = again.status === 200 || broken.status === 200;
      expect(await charged()).toBe(isShown ? 15_000 : 0);
      market.clock.advance(DAY + MINUTE);
      await minutes(6);
      expect(await rowOf(tab.tabId)).toMatchObject({ reserved_micros: 0 });
      const [sale] = await salesOf(tab.id);
      expect(sale).toEqual(
        isShown
          ? { status: 'held', amount_cents: 2 }
          : { status: 'refunded', amount_cents: expect.any(Number) },
      );
      expect(10_000_000 - tab.balance()).toBe((isShown ? 3 : 1) * CENT);
    },
  );

  it('in the end the books agree', async () => {
    expect(await findings()).toEqual([]);
  });
});
