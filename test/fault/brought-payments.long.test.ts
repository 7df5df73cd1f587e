import { NO_LIMITS } from '@agent-marketplace/core/budgets/policy.rules.ts';
import { boundKey } from '@agent-marketplace/core/testing/fixtures/bound-key.ts';
import type {
  PaymentHeaders,
  QueryAnswer,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { describe, expect, it } from 'vitest';
import { payloadOf, transferOf } from './sent-payments.ts';
import { CENT, createTabWorld, PAYER_UNITS } from './tab-world.ts';

// A transfer that its payer brought to the chain before it came here, and that fits no more when it does: it buys what was
// paid for, or goes back by a job, and the answer and the payer's books say which.

const { x402, tabs, shop, minutes, findings } = createTabWorld();
const { sales, market, chain } = x402;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PROTOCOLS = [1, 2, 'mpp'] as const;
const PRICE = 100;

type Shop = Awaited<ReturnType<typeof shop>>;
type Headers = Readonly<Record<string, string>>;

interface Way {
  readonly name: string;
  pay(one: Shop, protocol: (typeof PROTOCOLS)[number]): Promise<PaymentHeaders>;
  send(one: Shop, headers: Headers): Promise<QueryAnswer>;
}
const QUERY = { city: 'Brest' };
const WAYS: readonly Way[] = [
  {
    name: 'a query in the URL',
    pay: ({ id, payer }, protocol) => x402.pay(payer, id, protocol),
    send: ({ id }, headers) => x402.query(id, headers),
  },
  {
    name: 'a query in a body',
    pay: ({ id, payer }, protocol) => x402.pay(payer, id, protocol, { parameters: QUERY }),
    send: ({ id }, headers) => x402.query(id, headers, QUERY),
  },
  {
    name: 'a tab',
    pay: ({ id, payer }, protocol) => tabs.payFor(payer, id, PRICE, { protocol }),
    send: ({ id }, headers) => tabs.open(id, PRICE, headers),
  },
];
const everyWay = WAYS.flatMap((way) => PROTOCOLS.map((protocol) => ({ ...way, protocol })));

const setStatus = (status: string) => (one: Shop) =>
  sales.rows('UPDATE listings SET status = ? WHERE id = ? RETURNING id', status, one.id);
const setPrice = (cents: number) => (one: Shop) =>
  sales.rows(
    'UPDATE listings SET price_cents = ?, price_micros = ? WHERE id = ? RETURNING id',
    cents,
    cents * CENT,
    one.id,
  );

/** What the payer's file of the year says of what was paid and came back. */
async function bookOf(apiKey: string) {
  const file = await market.request('GET', '/purchases/file?year=2026', { headers: { 'x-api-key': apiKey } });
  const [head = '', ...rows] = (await file.text()).trim().split('\r\n');
  const columns = head.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, index) => [columns[index], cell])));
}

/** Refused, and said to be on its way back; then back, in the payer's account and in its books. */
async function expectBack(one: Shop, answer: QueryAnswer, code: string, apiKey: string) {
  expect([answer.status === 402, answer.body.code, answer.body.charged], answer.text).toEqual([
    false,
    code,
    undefined,
  ]);
  expect(answer.body.detail).toContain('goes back to the account that paid');
  expect(one.balance()).toBe(PAYER_UNITS - PRICE * CENT);
  market.clock.advance(DAY);
  await minutes(15);
  expect(one.balance()).toBe(PAYER_UNITS);
  const [bought, ...more] = await bookOf(apiKey);
  expect([bought?.status, bought?.paid_cents, bought?.refunded_cents, bought?.gas_cents, more]).toEqual([
    'refunded',
    String(PRICE),
    String(PRICE),
    '0',
    [],
  ]);
  expect(bought?.paid_at).toBe(bought?.ordered_at);
  const id = bought?.purchase_id ?? '';
  const { body } = await x402.get(`/marketplace/purchases/${id}/documents`, { 'x-api-key': apiKey });
  expect(body.documents.map(({ kind }: { kind: string }) => kind)).toEqual(['receipt', 'credit_note']);
  expect(await findings()).toEqual([]);
}

describe.each(everyWay)(
  '$name, brought to the chain by its payer by $protocol',
  ({ name, protocol, pay, send }) => {
    async function brought() {
      const one = await shop(PRICE * CENT);
      const buyer = await sales.newAgent();
      const headers = { ...(await pay(one, protocol)), 'x-api-key': buyer.apiKey };
      chain.relay(transferOf(headers));
      return { one, buyer, headers };
    }

    it.each([
      ['costs more now', 'payment_spent', setPrice(2 * PRICE)],
      ['was taken down', 'listing_not_active', setStatus('inactive')],
    ])('goes back where its listing %s', async (what, wanted, happens) => {
      const { one, buyer, headers } = await brought();
      await happens(one);
      const code = what === 'costs more now' && name === 'a tab' ? 'tab_too_small' : wanted;
      await expectBack(one, await send(one, headers), code, buyer.apiKey);
    });

    it.each([
      ['the rail is closed to its key', 'rail_not_allowed', { rails: ['wallet'] }],
      ['a person has to approve it', 'approval_required', { approvalAboveCents: PRICE - 1 }],
    ])('goes back where %s since', async (_why, code, limits) => {
      const { one, buyer, headers } = await brought();
      await boundKey(market.newPorts(), buyer, { ...NO_LIMITS, ...limits });
      await expectBack(one, await send(one, headers), code, buyer.apiKey);
    });

    it('goes back where it was not deep enough yet, and is never sent again', async () => {
      const one = await shop(PRICE * CENT);
      const headers = await pay(one, protocol);
      const transaction = chain.relay(transferOf(headers));
      const { find } = chain;
      chain.find = async () => ({ kind: 'pending', transaction });
      const early = await send(one, headers);
      chain.find = find;
      expect([early.status, early.body.code], early.text).toEqual([503, 'settlement_pending']);
      market.clock.advance(DAY);
      await minutes(15);
      expect([one.balance(), await findings()]).toEqual([PAYER_UNITS, []]);
    });

    // By x402 nothing binds the transfer to what is asked for: anybody may have copied it from the chain.
    const isBound = protocol === 'mpp';

    it(`${isBound ? 'is good for what it paid for' : 'goes back'} where that fits again`, async () => {
      const { one, buyer, headers } = await brought();
      await setStatus('inactive')(one);
      expect((await send(one, headers)).body.code).toBe('listing_not_active');
      await setStatus('active')(one);
      const answer = await send(one, headers);
      if (!isBound) return expectBack(one, answer, 'payment_spent', buyer.apiKey);
      expect(answer.status, answer.text).toBe(200);
      market.clock.advance(2 * DAY);
      await minutes(15);
      expect(one.balance()).toBeLessThan(PAYER_UNITS);
    });

    it(`${isBound ? 'is sold' : 'goes back'} where it comes too late to be settled`, async () => {
      const { one, buyer, headers } = await brought();
      market.clock.advance(90_000);
      const answer = await send(one, headers);
      if (isBound) expect(answer.status, answer.text).toBe(200);
      else await expectBack(one, answer, 'payment_spent', buyer.apiKey);
    });

    it('buys nothing for whoever copied it from the chain, and is as good for its payer as before', async () => {
      const { one, headers } = await brought();
      const payload = payloadOf(headers);
      const other = await sales.listing({ priceCents: PRICE });
      for (const bought of [other.id, one.id])
        for (const signature of [payload.signature, `0x${'11'.repeat(64)}1b`]) {
          const copy = { envelope: { payload: { ...payload, signature } } };
          const taken = await x402.query(bought, await x402.pay(x402.newPayer(), bought, 1, copy));
          expect([taken.status, taken.body.code, taken.body.data], taken.text).toEqual([
            409,
            'payment_spent',
            undefined,
          ]);
        }
      const answer = await send(one, headers);
      expect(answer.status, answer.text).toBe(isBound ? 200 : 409);
      market.clock.advance(DAY);
      await minutes(15);
      if (!isBound) expect(one.balance()).toBe(PAYER_UNITS);
      expect(await findings()).toEqual([]);
    });

    it('is one record, however many requests bring it at once', async () => {
      const { one, headers } = await brought();
      await setStatus('inactive')(one);
      await Promise.all(Array.from({ length: 8 }, () => send(one, headers)));
      expect(await sales.purchases(one.id)).toHaveLength(1);
    });
  },
);

describe('what was never brought to the chain', () => {
  it.each(everyWay)(
    'is refused as before, and nothing of it is written, for $name by $protocol',
    async (way) => {
      const one = await shop(PRICE * CENT);
      const headers = await way.pay(one, way.protocol);
      await setStatus('inactive')(one);
      const { body } = await way.send(one, headers);
      expect([body.code, body.charged]).toEqual(['listing_not_active', false]);
      expect(await sales.purchases(one.id)).toEqual([]);
    },
  );
});
