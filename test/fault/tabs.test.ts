import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { QueryAnswer } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { signClosing, signVoucher, type TabAccount } from '@agent-marketplace/sdk';
import { describe, expect, inject, it } from 'vitest';
import { breakAt, NOTHING, schedules } from './chain-schedules.ts';
import { CENT, createTabWorld, PAYER_UNITS } from './tab-world.ts';

// A tab is settled before its first answer, spent in micro-units, and sold and paid back in whole cents. Every call is
// broken here, one after the other; whatever was shown was charged, and what was not goes back.

const { x402, tabs, shop, openTab, openAt, rowOf, salesOf, minutes, findings } = createTabWorld({
  hasOneSeller: true,
});
const { sales, market, chain } = x402;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const saleOf = async (id: string) => (await salesOf(id))[0];

/** Every unit that the payer paid is sold, sent back, kept for the next return, or was gas. */
async function expectSettled(tab: { id: string; tabId: string; balance: () => number }, before: number) {
  const row = await rowOf(tab.tabId);
  const sale = await saleOf(tab.id);
  expect(row?.reserved_micros).toBe(0);
  const shown = Math.ceil((row?.charged_micros ?? 0) / CENT);
  const isSold = sale?.status === 'held';
  expect(isSold ? sale.amount_cents : 0).toBe(shown);
  const spent = before - tab.balance();
  const [queries] = await sales.rows<{ micros: number }>(
    "SELECT COALESCE(SUM(price_micros), 0) AS micros FROM tab_queries WHERE tab_id = ? AND status = 'charged'",
    tab.tabId,
  );
  expect(queries?.micros).toBe(row?.charged_micros);
  return { spent, shown, row };
}

/** Every client pays for a thousand on a real chain (test/clients). */
const QUERIES = inject('everySchedule') ? 1000 : 100;

describe('a tab', () => {
  it('settles all its queries as one transaction, and the books agree to the micro-unit', async () => {
    const tab = await openTab(100);
    for (let sequence = 1; sequence <= QUERIES; sequence += 1) {
      const answer = await tabs.ask(tab.payer, tab.tabId, { sequence, ceilingMicros: sequence * 500 });
      if (answer.status !== 200) throw new Error(answer.text);
    }
    const micros = QUERIES * 500;
    const cents = micros / CENT;
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: micros, reserved_micros: 0 });
    expect(await findings()).toEqual([]);
    const closed = await tabs.close(tab.payer, tab.tabId);
    expect(closed.body, closed.text).toMatchObject({ chargedMicros: micros, restCents: 100 - cents });
    await minutes();
    expect(await salesOf(tab.id)).toEqual([{ status: 'held', amount_cents: cents }]);
    expect(chain.calls.filter(({ method }) => method === 'settle')).toHaveLength(1);
    // A cent of gas: 4000 units, rounded up.
    expect(tab.balance()).toBe(10_000_000 - micros - CENT);
    expect(await findings()).toEqual([]);
  }, 120_000);

  it('is one read and two commits for a query, beside the delivery, and asks the chain nothing', async () => {
    const tab = await openTab();
    await market.background.settled();
    market.market.reset();
    chain.calls.length = 0;
    let before = 0;
    market.sellerEndpoint.script = (request) => {
      before = market.market.count;
      return sellerOf({ answer: 42 })(request);
    };
    const answer = await tabs.ask(tab.payer, tab.tabId, { sequence: 1, ceilingMicros: 500 });
    expect(answer.status, answer.text).toBe(200);
    const waited = market.market.roundTrips.filter((sql) => !/^update "sellers"/i.test(sql.join()));
    expect([before, waited.length]).toEqual([2, 3]);
    // However many listings, sales and queries there are.
    for (const sql of waited[0] ?? []) {
      const values = Array.from(sql.matchAll(/\?/g), () => '');
      const plan = await sales.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
      expect(
        plan.filter(({ detail }) => detail.startsWith('SCAN') && detail !== 'SCAN CONSTANT ROW'),
      ).toEqual([]);
    }
    expect(chain.calls.map(({ method }) => method)).toEqual(['hasSigned']);
  });

  it('asks the chain nothing for a query, and charges one voucher once', async () => {
    const tab = await openTab();
    const voucher = { sequence: 1, ceilingMicros: 500 };
    chain.calls.length = 0;
    const first = await tabs.ask(tab.payer, tab.tabId, voucher, { city: 'Brest' });
    expect(first.body).toMatchObject({ content: { answer: 42 }, priceMicros: 500 });
    expect(first.body.receipt.statement).toMatchObject({ amountMicros: 500, sequence: 1, tabId: tab.tabId });
    const { digest, keyId } = first.body.receipt;
    expect(await sales.rows('SELECT type, key_id FROM log_outbox WHERE digest = ?', digest)).toEqual([
      { type: 'tab_query_receipt', key_id: keyId },
    ]);
    const again = await tabs.ask(tab.payer, tab.tabId, voucher, { city: 'Brest' });
    expect(again.body.receipt).toEqual(first.body.receipt);
    expect(chain.calls.map(({ method }) => method)).toEqual(['hasSigned', 'hasSigned']);
    market.sellerEndpoint.script = sellerOf({ answer: 43 });
    expect((await tabs.ask(tab.payer, tab.tabId, voucher, { city: 'Brest' })).body.code).toBe(
      'tab_answer_changed',
    );
    const other = await tabs.ask(tab.payer, tab.tabId, voucher, { city: 'Paris' });
    expect(other.body.code).toBe('tab_voucher_out_of_order');
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 500 });
  });

  it('has its seller asked for an answer again ten times at most, also once it is closed', async () => {
    const tab = await openTab();
    const voucher = { sequence: 1, ceilingMicros: 500 };
    const redeliveries: (number | undefined)[] = [];
    market.sellerEndpoint.script = (request) => {
      redeliveries.push(request.purpose?.redelivery);
      return sellerOf({ answer: 42 })(request);
    };
    for (let sent = 0; sent <= 5; sent += 1)
      expect((await tabs.ask(tab.payer, tab.tabId, voucher)).status).toBe(200);
    await tabs.close(tab.payer, tab.tabId);
    const repeats = await Promise.all(
      Array.from({ length: 8 }, () => tabs.ask(tab.payer, tab.tabId, voucher)),
    );
    const refused = repeats.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.code, body.charged])).toEqual(
      Array.from({ length: 3 }, () => [409, 'tab_answer_repeated', true]),
    );
    expect(redeliveries.toSorted((a = -1, b = -1) => a - b)).toEqual(Array.from({ length: 11 }, (_, n) => n));
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 500 });
  });

  it.each([
    ['fails', replied('Broken', 500)],
    ['has nothing any more', replied('{"available":false}', 404)],
  ])('whose seller %s when it is asked again says that the answer was charged', async (_, reply) => {
    const tab = await openTab();
    const voucher = { sequence: 1, ceilingMicros: 500 };
    expect((await tabs.ask(tab.payer, tab.tabId, voucher)).status).toBe(200);
    market.sellerEndpoint.script = () => reply;
    const again = await tabs.ask(tab.payer, tab.tabId, voucher);
    const { status, body, text } = again;
    expect([status, body.code, body.charged, body.retryable], text).toEqual([
      503,
      'paid_not_delivered',
      true,
      true,
    ]);
    expect(`${again.body.title} ${again.body.detail}`).not.toMatch(/nothing was charged/i);
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 500 });
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    expect((await tabs.ask(tab.payer, tab.tabId, voucher)).status).toBe(200);
  });

  it('whose listing was taken down still brings what was paid for, and sells nothing more', async () => {
    const { payer } = await shop();
    const { id, seller } = await sales.listing({ priceCents: 1, priceMicros: 500 });
    const tabId = await openAt({ id, payer });
    const voucher = { sequence: 1, ceilingMicros: 500 };
    const first = await tabs.ask(payer, tabId, voucher);
    expect(first.status, first.text).toBe(200);
    const path = `/marketplace/listings/${id}/deactivate`;
    expect((await sales.request('POST', path, seller.apiKey, {})).status).toBe(200);
    const again = await tabs.ask(payer, tabId, voucher);
    expect([again.status, again.body.receipt], again.text).toEqual([200, first.body.receipt]);
    const next = await tabs.ask(payer, tabId, { sequence: 2, ceilingMicros: 1000 });
    expect([next.status, next.body.code, next.body.charged]).toEqual([409, 'listing_not_active', false]);
    expect(next.body.detail).toContain('Close this tab: what is left of it goes back.');
    expect(await rowOf(tabId)).toMatchObject({ charged_micros: 500, reserved_micros: 0 });
    await tabs.close(payer, tabId);
    await minutes();
  });

  describe('that brought nothing', () => {
    const voucher = { sequence: 1, ceilingMicros: 500 };
    async function unanswered(sent = voucher) {
      const tab = await openTab();
      market.sellerEndpoint.script = () => replied('{}', 503);
      const { status, body } = await tabs.ask(tab.payer, tab.tabId, sent);
      expect([status, body.code, body.retryable, body.charged]).toEqual([
        502,
        'delivery_failed',
        true,
        false,
      ]);
      market.sellerEndpoint.script = sellerOf({ answer: 42 });
      return tab;
    }

    it('is good when it is sent again, as its problem says, and is charged once', async () => {
      const tab = await unanswered();
      const answers = await Promise.all([1, 2, 3].map(() => tabs.ask(tab.payer, tab.tabId, voucher)));
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      for (const { status, body } of answers.filter((one) => one.status !== 200))
        expect([status, body.code]).toEqual([409, 'tab_query_in_progress']);
      expect((await tabs.ask(tab.payer, tab.tabId, voucher)).status).toBe(200);
      expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 500, reserved_micros: 0 });
      await tabs.close(tab.payer, tab.tabId);
      await minutes();
      expect(await findings()).toEqual([]);
    });

    it('fails again without a loss, and is none after a later one, for another query, or once the tab is closed', async () => {
      // With room for two, so that its number alone is in the way.
      const wide = { sequence: 1, ceilingMicros: 1000 };
      const tab = await unanswered(wide);
      market.sellerEndpoint.script = () => replied('{}', 503);
      expect((await tabs.ask(tab.payer, tab.tabId, wide)).body.charged).toBe(false);
      expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 0, reserved_micros: 0 });
      market.sellerEndpoint.script = sellerOf({ answer: 42 });
      const other = await tabs.ask(tab.payer, tab.tabId, wide, { city: 'Paris' });
      expect(other.body.code).toBe('tab_voucher_out_of_order');
      expect((await tabs.ask(tab.payer, tab.tabId, { ...wide, sequence: 2 })).status).toBe(200);
      const late = await tabs.ask(tab.payer, tab.tabId, wide);
      expect([late.status, late.body.code, late.body.charged]).toEqual([
        409,
        'tab_voucher_out_of_order',
        false,
      ]);
      await tabs.close(tab.payer, tab.tabId);
      expect((await tabs.ask(tab.payer, tab.tabId, wide)).body.code).toBe('tab_closed');
    });

    it('is judged by the price of then', async () => {
      const tab = await unanswered();
      const priced = (micros: number) =>
        sales.rows('UPDATE listings SET price_micros = ? WHERE id = ? RETURNING id', micros, tab.id);
      await priced(501);
      const dear = await tabs.ask(tab.payer, tab.tabId, voucher);
      expect([dear.status, dear.body.code, dear.body.charged]).toEqual([409, 'tab_ceiling_too_low', false]);
      await priced(400);
      expect((await tabs.ask(tab.payer, tab.tabId, voucher)).body.priceMicros).toBe(400);
      expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 400, reserved_micros: 0 });
    });
  });

  it.each([
    ['a lower number', { sequence: 1, ceilingMicros: 2000 }, 'tab_voucher_out_of_order'],
    ['a lower ceiling', { sequence: 3, ceilingMicros: 500 }, 'tab_voucher_out_of_order'],
    ['a ceiling without room', { sequence: 3, ceilingMicros: 700 }, 'tab_ceiling_too_low'],
    ['a ceiling above what was paid', { sequence: 3, ceilingMicros: 1_000_001 }, 'tab_ceiling_too_high'],
  ])('refuses a voucher with %s', async (_, voucher, code) => {
    const tab = await openTab();
    expect((await tabs.ask(tab.payer, tab.tabId, { sequence: 2, ceilingMicros: 600 })).status).toBe(200);
    const refused = await tabs.ask(tab.payer, tab.tabId, voucher);
    expect([refused.status, refused.body.code, refused.body.charged]).toEqual([409, code, false]);
  });

  it('takes what the SDK signs', async () => {
    const { payer, tabId } = await openTab();
    const { chainId } = chain.token;
    const voucher = { chainId, tabId, sequence: 1, ceilingMicros: 500, query: { city: 'Brest' } };
    const answer = await tabs.post(
      `/x402/tabs/${tabId}/queries`,
      await signVoucher(payer as TabAccount, voucher),
    );
    expect(answer.status, answer.text).toBe(200);
    const signature = await signClosing(payer as TabAccount, { chainId, tabId });
    expect((await tabs.post(`/x402/tabs/${tabId}/close`, { signature })).status).toBe(200);
  });

  it('takes nobody else’s signature, for a query or for its end', async () => {
    const tab = await openTab();
    const stranger = x402.newPayer();
    const asked = await tabs.ask(stranger, tab.tabId, { sequence: 1, ceilingMicros: 500 });
    const closed = await tabs.close(stranger, tab.tabId);
    expect([asked.body.code, closed.body.code]).toEqual(['tab_not_signed', 'tab_not_signed']);
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 0, closed_at: null });
  });

  it('answers one of many that race for its last micro-unit', async () => {
    const tab = await openTab(10, 100_000);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((sequence) => tabs.ask(tab.payer, tab.tabId, { sequence, ceilingMicros: 100_000 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 100_000, reserved_micros: 0 });
  });

  it('is not offered, nor paid for, where it holds less than one query may cost', async () => {
    const found = await shop(200_001);
    const small = await tabs.open(found.id, 20, {});
    expect([small.status, small.body.code, small.body.charged]).toEqual([409, 'tab_too_small', false]);
    expect(small.body.detail).toContain('21 cents');
    expect(small.headers.get('payment-required')).toBeNull();
    expect((await tabs.open(found.id, 21, {})).status).toBe(402);

    const dear = await shop(50_000 * CENT + 1);
    const unpayable = await tabs.open(dear.id, 50_000, {});
    expect([unpayable.status, unpayable.body.code]).toEqual([409, 'tab_not_for_listing']);
    expect(unpayable.body.detail).toContain('$500');
  });

  it('whose listing became too dear before it was paid for is refused, and charges nothing', async () => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 10);
    const dearer = { priceCents: 11, priceMicros: 100_001 };
    await sales.request('PATCH', `/marketplace/listings/${found.id}`, found.seller.apiKey, dearer);
    const refused = await tabs.open(found.id, 10, headers);
    expect([refused.status, refused.body.code, refused.body.charged]).toEqual([409, 'tab_too_small', false]);
    expect(found.balance()).toBe(PAYER_UNITS);
  });

  it('whose listing became too dear for it could never pay a query, and says what one costs', async () => {
    const tab = await openTab(10);
    const dearer = { priceCents: 11, priceMicros: 100_001 };
    await sales.request('PATCH', `/marketplace/listings/${tab.id}`, tab.seller.apiKey, dearer);
    for (const ceilingMicros of [100_000, 100_001]) {
      const refused = await tabs.ask(tab.payer, tab.tabId, { sequence: 1, ceilingMicros });
      expect([refused.status, refused.body.code, refused.body.charged]).toEqual([
        409,
        'tab_too_small',
        false,
      ]);
      expect(refused.body.detail).toContain('11 cents');
    }
    expect((await tabs.close(tab.payer, tab.tabId)).status).toBe(200);
  });

  it('takes no voucher for a query that costs more than its payer would give for it, and the same one for more', async () => {
    const tab = await openTab(10);
    const voucher = { sequence: 1, ceilingMicros: 50_000 };
    const refused = await tabs.ask(tab.payer, tab.tabId, { ...voucher, maxPriceMicros: 499 });
    expect([refused.status, refused.body.code, refused.body.charged]).toEqual([
      409,
      'price_above_max',
      false,
    ]);
    expect(refused.body.detail).toContain('500 micro-units');
    expect((await tabs.ask(tab.payer, tab.tabId, { ...voucher, maxPriceMicros: 500 })).status).toBe(200);
    // It is charged: what is asked for again costs nothing.
    expect((await tabs.ask(tab.payer, tab.tabId, { ...voucher, maxPriceMicros: 1 })).status).toBe(200);
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 500 });
    await tabs.close(tab.payer, tab.tabId);
  });

  it('that a query would overspend says so, whatever ceiling is signed', async () => {
    const tab = await openTab(10, 60_000);
    expect((await tabs.ask(tab.payer, tab.tabId, { sequence: 1, ceilingMicros: 60_000 })).status).toBe(200);
    for (const ceilingMicros of [100_000, 120_000]) {
      const refused = await tabs.ask(tab.payer, tab.tabId, { sequence: 2, ceilingMicros });
      expect([refused.status, refused.body.code, refused.body.charged]).toEqual([409, 'tab_spent', false]);
    }
    await tabs.close(tab.payer, tab.tabId);
    const lateAnswer = await tabs.ask(tab.payer, tab.tabId, { sequence: 2, ceilingMicros: 100_000 });
    expect([lateAnswer.status, lateAnswer.body.code, lateAnswer.body.charged]).toEqual([
      409,
      'tab_closed',
      false,
    ]);
  });

  it('charges nothing for what was not delivered, and goes on', async () => {
    const tab = await openTab();
    market.sellerEndpoint.script = () => replied('{"available":false}', 404);
    const failed = await tabs.ask(tab.payer, tab.tabId, { sequence: 1, ceilingMicros: 500 });
    expect(failed.status).toBeGreaterThanOrEqual(400);
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    expect((await tabs.ask(tab.payer, tab.tabId, { sequence: 2, ceilingMicros: 500 })).status).toBe(200);
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 500, reserved_micros: 0 });
  });

  it('closed while a query is out: it is answered and charged, and the rest goes back once it is', async () => {
    const tab = await openTab();
    const before = 10_000_000;
    market.sellerEndpoint.script = async (request) => {
      const closed = await tabs.close(tab.payer, tab.tabId);
      expect(closed.body).toMatchObject({ reservedMicros: 500, restCents: null });
      return sellerOf({ answer: 42 })(request);
    };
    const answer = await tabs.ask(tab.payer, tab.tabId, { sequence: 1, ceilingMicros: 500 });
    expect(answer.status, answer.text).toBe(200);
    const late = await tabs.ask(tab.payer, tab.tabId, { sequence: 2, ceilingMicros: 1000 });
    expect(late.body.code).toBe('tab_closed');
    await minutes(6);
    const { shown, spent } = await expectSettled(tab, before);
    expect([shown, spent]).toEqual([1, 2 * CENT]);
  });

  it('unused, and over: all of it goes back but the gas', async () => {
    const tab = await openTab();
    market.clock.advance(DAY + MINUTE);
    await minutes(6);
    expect(await saleOf(tab.id)).toMatchObject({ status: 'refunded' });
    expect(tab.balance()).toBe(10_000_000 - CENT);
    expect(await findings()).toEqual([]);
  });

  it('unused, and closed: all of it goes back at once but the gas', async () => {
    const tab = await openTab();
    await tabs.close(tab.payer, tab.tabId);
    expect(await saleOf(tab.id)).toMatchObject({ status: 'refunded' });
    expect(tab.balance()).toBe(10_000_000 - CENT);
    expect((await tabs.close(tab.payer, tab.tabId)).status).toBe(200);
    expect(tab.balance()).toBe(10_000_000 - CENT);
  });

  it('used, and over: it is sold by itself', async () => {
    const tab = await openTab();
    await tabs.ask(tab.payer, tab.tabId, { sequence: 1, ceilingMicros: 500 });
    market.clock.advance(DAY + MINUTE);
    await minutes(6);
    const { shown, spent } = await expectSettled(tab, 10_000_000);
    expect([shown, spent]).toEqual([1, 2 * CENT]);
  });

  it('a rest below its gas waits for the next one of the same account', async () => {
    const tab = await openTab();
    await tabs.ask(tab.payer, tab.tabId, { sequence: 1, ceilingMicros: 500 });
    chain.gasState = { balanceWei: 10n ** 18n, transfersLeft: 1_000_000, payoutUnits: 150n * 10_000n };
    await tabs.close(tab.payer, tab.tabId);
    await minutes();
    expect(await rowOf(tab.tabId)).toMatchObject({ rest_cents: 99, return_transaction: null });
    const next = await tabs.open(tab.id, 100, await tabs.payFor(tab.payer, tab.id, 100));
    await tabs.ask(tab.payer, next.body.tabId, { sequence: 1, ceilingMicros: 500 });
    await tabs.close(tab.payer, next.body.tabId);
    await minutes();
    const sent = [await rowOf(tab.tabId), await rowOf(next.body.tabId)].map((row) => row?.return_transaction);
    expect(sent[0]).toMatch(/^0x/);
    expect(sent[1]).toBe(sent[0]);
    expect(tab.balance()).toBe(10_000_000 - 2 * CENT - 150 * CENT);
    expect(await findings()).toEqual([]);
  });
});

const CALLS = 13;

describe('whatever breaks', () => {
  it('makes no more calls than are broken below', async () => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100);
    const counts: number[] = [];
    const count = async (work: () => Promise<unknown>) => {
      const made = breakAt(x402, NOTHING);
      await work();
      await market.background.settled();
      counts.push(made());
    };
    let tabId = '';
    await count(async () => {
      tabId = (await tabs.open(found.id, 100, headers)).body.tabId;
    });
    await count(() => tabs.ask(found.payer, tabId, { sequence: 1, ceilingMicros: 500 }));
    await count(() => tabs.close(found.payer, tabId));
    expect(Math.max(...counts), String(counts)).toBeLessThanOrEqual(CALLS);
  });

  it.each(schedules(CALLS))(
    'as it is opened, at $at: $fault, dead after it: $isDeath; the same payment again opens it, or all goes back',
    async (schedule) => {
      const found = await shop();
      const headers = await tabs.payFor(found.payer, found.id, 100);
      breakAt(x402, schedule);
      await tabs.open(found.id, 100, headers);
      await x402.heal();
      let opened: QueryAnswer = await tabs.open(found.id, 100, headers);
      // A claim of a dead request ends after a minute.
      for (let n = 0; n < 8 && opened.status !== 200 && opened.status !== 402; n += 1) {
        market.clock.advance(10_000);
        opened = await tabs.open(found.id, 100, headers);
      }
      expect([200, 402], opened.text).toContain(opened.status);
      expect(found.balance()).toBe(10_000_000 - (opened.status === 200 ? 100 * CENT : 0));
      const live = 'SELECT purchase_id FROM usdc_payments WHERE payer = ? AND is_live = 1';
      expect(await sales.rows(live, found.payer.address.toLowerCase())).toHaveLength(
        opened.status === 200 ? 1 : 0,
      );
    },
  );

  it.each(schedules(CALLS))(
    'as it is opened, at $at: $fault, dead after it: $isDeath; nobody comes back, and all goes back',
    async (schedule) => {
      const found = await shop();
      const headers = await tabs.payFor(found.payer, found.id, 100);
      breakAt(x402, schedule);
      await tabs.open(found.id, 100, headers);
      await x402.heal();
      await minutes(3);
      market.clock.advance(DAY + MINUTE);
      await minutes(6);
      expect(10_000_000 - found.balance()).toBeLessThanOrEqual(CENT);
    },
  );

  it.each(schedules(CALLS))(
    'as a query is answered, at $at: $fault, dead after it: $isDeath; shown is charged, and once (invariant 8)',
    async (schedule) => {
      const tab = await openTab();
      breakAt(x402, schedule);
      const voucher = { sequence: 1, ceilingMicros: 500 };
      const broken = await tabs.ask(tab.payer, tab.tabId, voucher);
      await x402.heal();
      const charged = async () => (await rowOf(tab.tabId))?.charged_micros;
      if (broken.status === 200) expect(await charged()).toBe(500);
      if (broken.body.charged === false) expect(await charged()).toBe(0);
      const again = await tabs.ask(tab.payer, tab.tabId, voucher);
      expect(await charged()).toBe(again.status === 200 || broken.status === 200 ? 500 : 0);
      market.clock.advance(DAY + MINUTE);
      await minutes(6);
      const { shown, spent } = await expectSettled(tab, 10_000_000);
      expect(spent).toBe((shown + 1) * CENT);
    },
  );

  it.each(schedules(CALLS))(
    'as it is closed, at $at: $fault, dead after it: $isDeath; one sale, and one return',
    async (schedule) => {
      const tab = await openTab();
      await tabs.ask(tab.payer, tab.tabId, { sequence: 1, ceilingMicros: 500 });
      breakAt(x402, schedule);
      await tabs.close(tab.payer, tab.tabId);
      await x402.heal();
      market.clock.advance(DAY + MINUTE);
      await minutes(8);
      const { shown, spent } = await expectSettled(tab, 10_000_000);
      expect([shown, spent]).toEqual([1, 2 * CENT]);
    },
  );

  it('in the end the books agree', async () => {
    expect(await findings()).toEqual([]);
  });
});
