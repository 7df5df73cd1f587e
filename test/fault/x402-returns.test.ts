import { reconcile } from '@agent-marketplace/core/ledger/reconcile.ts';
import { advanceDueSales } from '@agent-marketplace/core/sales/advance-due-sales.ts';
import { refundLateSettlements } from '@agent-marketplace/core/sales/rails/usdc/refund-late-settlements.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import {
  createQueryMarketplace,
  type Forgery,
  type PaymentHeaders,
  type PaymentProtocol,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { breakAt, NOTHING, schedules } from './chain-schedules.ts';
import { judgeAtEnd } from './oracle/judge-both.ts';
import { transferOf } from './sent-payments.ts';

// Nobody is charged for what was not delivered, nor by a transfer that the payer makes on its own account.

const x402 = createQueryMarketplace();
judgeAtEnd(x402);
const { sales, market, chain, claims } = x402;
const UNITS = 1_000_000n;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PROTOCOLS = [1, 2, 'mpp'] as const;

afterEach(async () => {
  await x402.heal();
  await sales.audit();
});

type Payer = ReturnType<typeof x402.newPayer>;
interface Paid {
  readonly id: string;
  readonly payer: Payer;
  readonly headers: PaymentHeaders;
  /** What the platform had before. */
  readonly before: bigint;
}

const paidBack = ({ payer }: Pick<Paid, 'payer'>) =>
  chain.transfers.filter(({ to }) => to === payer.address.toLowerCase());

/** Paid back in full and once; the copy is for sale again, and the payment is worth nothing any more. */
async function expectPaidBack(paid: Paid) {
  const { id, headers, payer, before } = paid;
  expect(paidBack(paid).map(({ units }) => units)).toEqual([UNITS]);
  expect(chain.balanceOf(payer.address)).toBe(UNITS);
  const [purchase] = await sales.purchases(id);
  expect([purchase?.status, await sales.sold(id)]).toEqual(['refunded', 0]);
  const answer = await x402.query(id, headers);
  expect([answer.status, answer.body.code, answer.body.charged]).toEqual([409, 'payment_spent', undefined]);
  await sales.pass(DAY, 5);
  expect([paidBack(paid).length, chain.balanceOf(payer.address)]).toEqual([1, UNITS]);
  expect(chain.balanceOf(chain.payTo)).toBe(before);
  const ports = market.newPorts();
  const { findings } = await reconcile(ports.market, { processor: null, chain: null }, market.clock.now());
  expect(findings).toEqual([]);
}

const withStatus = async (id: string, wanted: string) =>
  (await sales.purchases(id)).filter(({ status }) => status === wanted).length;

/** A node that lost its way says for a while that the payment was never made. */
async function expectAlarmWhileUnseen(): Promise<void> {
  const { find } = chain;
  chain.find = async () => ({ kind: 'unused', isExpired: true });
  const before = market.log.lines.length;
  await sales.pass(10 * MINUTE, 2);
  const { event } = market.log.lines.slice(before).find(({ level }) => level === 'error') ?? {};
  expect(event).toBe('payment_untraced');
  chain.find = find;
}

describe('a payment that its payer settled for nothing', () => {
  /** The payer brings the transfer to the chain while the seller is asked, and the request dies there. */
  async function paidForNothing() {
    const { id } = await sales.listing({ priceCents: 100, listingType: 'limited', maxCopies: 1 });
    const payer = x402.newPayer(UNITS);
    const headers = await x402.pay(payer, id, 2);
    const isPaid = () => chain.balanceOf(payer.address) === 0n;
    const before = chain.balanceOf(chain.payTo);
    market.sellerEndpoint.script = (request) => {
      chain.relay(transferOf(headers));
      market.market.fault = () => 'lose_request';
      return sellerOf({ answer: 42 })(request);
    };
    expect((await x402.query(id, headers)).status).toBe(503);
    await x402.heal();
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    await sales.pass(10 * MINUTE);
    expect([isPaid(), await withStatus(id, 'authorized'), await sales.sold(id)]).toEqual([true, 1, 1]);
    return { id, payer, headers, before };
  }

  it('brings its data within a day, and is not paid back', async () => {
    const paid = await paidForNothing();
    const { id, headers } = paid;
    await sales.pass(DAY - HOUR, 5);
    expect((await x402.query(id, headers)).status).toBe(200);
    await sales.pass(DAY, 5);
    expect([paidBack(paid), await withStatus(id, 'held')]).toEqual([[], 1]);
  });

  /** Database 6, chain 2. */
  const CALLS_BACK = 8;

  it('goes back after a day, and its copy to the listing', async () => {
    const paid = await paidForNothing();
    market.clock.advance(DAY);
    const made = breakAt(x402, NOTHING);
    await advanceDueSales(market.newPorts());
    expect(made()).toBe(CALLS_BACK);
    await x402.heal();
    await expectPaidBack(paid);
  });

  it.each(schedules(CALLS_BACK))(
    'breaks on its way back at $at: $fault, dead after it: $isDeath, and then goes on',
    async (schedule) => {
      const paid = await paidForNothing();
      market.clock.advance(DAY);
      breakAt(x402, schedule);
      await advanceDueSales(market.newPorts()).catch(() => {});
      await x402.heal();
      await sales.pass(HOUR, 10);
      await expectPaidBack(paid);
    },
  );

  it('is sent again while it goes back: it brings no data', async () => {
    const paid = await paidForNothing();
    market.clock.advance(DAY);
    market.sellerEndpoint.script = async (request) => {
      await sales.pass(MINUTE);
      return sellerOf({ answer: 42 })(request);
    };
    const answer = await x402.query(paid.id, paid.headers);
    expect([answer.status, answer.text.includes('"answer":42')]).toEqual([409, false]);
    await expectPaidBack(paid);
  });

  it('waits on its way back while the chain stands still, and brings no data meanwhile', async () => {
    const paid = await paidForNothing();
    chain.stopMining();
    await sales.pass(DAY, 5);
    expect((await x402.query(paid.id, paid.headers)).body.code).toBe('payment_spent');
    chain.startMining();
    await sales.pass(HOUR, 10);
    await expectPaidBack(paid);
  });

  it('is told to the operator where it cannot be seen any more on its way back, and goes back once it can', async () => {
    const paid = await paidForNothing();
    market.clock.advance(DAY);
    chain.stopMining();
    await sales.pass(MINUTE);
    await expectAlarmWhileUnseen();
    chain.startMining();
    await sales.pass(HOUR, 10);
    await expectPaidBack(paid);
  });

  it('stays good for its data where nobody can pay it back', async () => {
    const paid = await paidForNothing();
    const { id, headers } = paid;
    const { pay } = chain;
    chain.pay = async () => ({ kind: 'refused', reason: 'not_configured' });
    await sales.pass(3 * DAY, 6);
    chain.pay = pay;
    expect([paidBack(paid), await withStatus(id, 'authorized')]).toEqual([[], 1]);
    expect((await x402.query(id, headers)).status).toBe(200);
  });

  it('is found by its transaction, however long ago it was settled', async () => {
    const paid = await paidForNothing();
    const [found] = await sales.rows<{ hash: string | null }>(
      `SELECT transaction_hash AS hash FROM usdc_payments JOIN purchases ON id = purchase_id WHERE listing_id = ?`,
      paid.id,
    );
    expect(found?.hash).toMatch(/^0x[0-9a-f]{64}$/);
    await sales.pass(DAY, 5);
    await expectPaidBack(paid);
  });
});

describe('a payment that is settled after its purchase ended without it', () => {
  /** It is said to have failed, and comes to the chain while it is valid; nobody sends it again. */
  async function settledLate(
    late = () => {},
    { protocol = 2, ...forged }: Forgery & { readonly protocol?: PaymentProtocol } = {},
  ): Promise<Paid> {
    const { id } = await sales.listing({ priceCents: 100, listingType: 'limited', maxCopies: 1 });
    const payer = x402.newPayer(UNITS);
    const headers = await x402.pay(payer, id, protocol, forged);
    const before = chain.balanceOf(chain.payTo);
    chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
    expect((await x402.query(id, headers)).status).toBe(503);
    await x402.heal();
    expect([await withStatus(id, 'failed'), await sales.sold(id)]).toEqual([1, 0]);
    late();
    chain.relay(transferOf(headers));
    expect(chain.balanceOf(payer.address)).toBe(0n);
    await sales.pass(20 * MINUTE);
    return { id, payer, headers, before };
  }

  it('goes back after a day, and takes no copy from the listing', async () => {
    const paid = await settledLate();
    await sales.pass(DAY - HOUR, 5);
    expect([paidBack(paid), await withStatus(paid.id, 'failed')]).toEqual([[], 1]);
    expect(market.log.lines.map(({ event }) => event)).toContain('paid_not_delivered');
    await sales.pass(2 * HOUR);
    await expectPaidBack(paid);
  });

  it('brings its data within a day, and is not paid back', async () => {
    const paid = await settledLate();
    await sales.pass(DAY - HOUR, 5);
    expect((await x402.query(paid.id, paid.headers)).status).toBe(200);
    await sales.pass(3 * DAY, 6);
    expect([paidBack(paid), await withStatus(paid.id, 'held')]).toEqual([[], 1]);
    await sales.audit();
  });

  it('goes back although its copy was sold to somebody else meanwhile', async () => {
    const paid = await settledLate();
    const other = x402.newPayer(UNITS);
    expect((await x402.query(paid.id, await x402.pay(other, paid.id, 1))).status).toBe(200);
    const { body } = await x402.query(paid.id, paid.headers);
    expect([body.code, body.charged]).toEqual(['sold_out', undefined]);
    expect(body.detail).toContain('goes back to the account that paid');
    await sales.pass(2 * DAY, 10);
    expect(paidBack(paid).map(({ units }) => units)).toEqual([UNITS]);
    expect((await sales.purchases(paid.id)).map(({ status }) => status).sort()).toEqual(['held', 'refunded']);
    expect(await sales.sold(paid.id)).toBe(1);
  });

  it.each([
    [1, 200],
    [2, 200],
    ['mpp', 200],
    [1, 50],
    [2, 50],
    ['mpp', 50],
  ] as const)(
    'by %s goes back where its listing costs %i now: nobody is told to sign another one',
    async (protocol, priceCents) => {
      const paid = await settledLate(() => {}, { protocol });
      const { id, headers } = paid;
      await sales.rows('UPDATE listings SET price_cents = ? WHERE id = ?', priceCents, id);
      const { status, body, text } = await x402.query(id, headers);
      expect([status, body.code, body.charged], text).toEqual([409, 'payment_spent', undefined]);
      expect(await withStatus(id, 'failed')).toBe(1);
      await sales.pass(2 * DAY, 10);
      await expectPaidBack(paid);
    },
  );

  it.each(PROTOCOLS)(
    'by %s is not taken for another price where it never came to the chain',
    async (protocol) => {
      const { id } = await sales.listing({ priceCents: 100 });
      const payer = x402.newPayer(UNITS);
      const headers = await x402.pay(payer, id, protocol);
      chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
      expect((await x402.query(id, headers)).status).toBe(503);
      await x402.heal();
      await sales.rows('UPDATE listings SET price_cents = 200 WHERE id = ?', id);
      const refused = await x402.query(id, headers);
      expect([refused.status, refused.body.error], refused.text).toEqual([
        402,
        'invalid_exact_evm_payload_authorization_value',
      ]);
      expect([chain.balanceOf(payer.address), await withStatus(id, 'failed')]).toEqual([UNITS, 1]);
    },
  );

  it.each(PROTOCOLS)('by %s is asked of the chain before another price is asked for', async (protocol) => {
    const { id } = await sales.listing({ priceCents: 100 });
    const headers = await x402.pay(x402.newPayer(UNITS), id, protocol);
    chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
    expect((await x402.query(id, headers)).status).toBe(503);
    await sales.rows('UPDATE listings SET price_cents = 200 WHERE id = ?', id);
    chain.fault = ({ method }) => (method === 'find' ? 'lose_request' : undefined);
    const { status, body, text } = await x402.query(id, headers);
    expect([status, body.code, body.charged], text).toEqual([503, 'platform_payment_unavailable', undefined]);
  });

  it('goes back although its id belongs to another payment by then', async () => {
    const extensions = { 'payment-identifier': { info: { id: 'the-very-same-payment-id' } } };
    const paid = await settledLate(() => {}, { extensions });
    const { id } = await sales.listing({ priceCents: 100 });
    const other = x402.newPayer(UNITS);
    expect((await x402.query(id, await x402.pay(other, id, 2, { extensions }))).status).toBe(200);
    await sales.pass(2 * DAY, 10);
    await expectPaidBack({ ...paid, before: paid.before + UNITS });
  });

  it('that was good for ages is looked for again, and in the end no more', async () => {
    const ages = { transfer: { validBefore: (1n << 256n) - 1n } };
    const paid = await settledLate(() => market.clock.advance(2 * DAY), ages);
    await sales.pass(HOUR);
    await expectPaidBack(paid);

    const { id } = await sales.listing({ priceCents: 100 });
    const headers = await x402.pay(x402.newPayer(UNITS), id, 2, ages);
    chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
    expect((await x402.query(id, headers)).status).toBe(503);
    await x402.heal();
    await sales.pass(6 * DAY, 12);
    const [row] = await sales.rows<{ look: string | null }>(
      'SELECT check_at AS look FROM usdc_payments JOIN purchases ON id = purchase_id WHERE listing_id = ?',
      id,
    );
    expect(row?.look).toBeNull();
  });

  it('is not asked about once it has expired unused, and once where its nonce lives for another purchase', async () => {
    const { id } = await sales.listing({ priceCents: 100 });
    const headers = await x402.pay(x402.newPayer(UNITS), id, 2);
    chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
    expect((await x402.query(id, headers)).status).toBe(503);
    await x402.heal();
    await sales.pass(20 * MINUTE);
    chain.calls.length = 0;
    await sales.pass(2 * DAY, 10);
    expect(chain.calls).toEqual([]);
  });

  it('is sent again before it goes back: the purchase that is made of it wins', async () => {
    const paid = await settledLate();
    market.clock.advance(DAY);
    market.sellerEndpoint.script = async (request) => {
      await sales.pass(MINUTE);
      return sellerOf({ answer: 42 })(request);
    };
    const first = await x402.query(paid.id, paid.headers);
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    expect([first.status, paidBack(paid)]).toEqual([200, []]);
    await sales.pass(3 * DAY, 6);
    expect([paidBack(paid), await withStatus(paid.id, 'held')]).toEqual([[], 1]);
  });

  it('is sent again in the moment in which it goes back: it brings no data', async () => {
    const paid = await settledLate();
    market.clock.advance(DAY);
    const { take } = claims;
    claims.take = async (...claim) => {
      claims.take = take;
      // What was read of it before is not so any more.
      await sales.pass(MINUTE);
      return take.apply(claims, claim);
    };
    const answer = await x402.query(paid.id, paid.headers);
    expect([answer.status, answer.body.code]).toEqual([409, 'payment_in_progress']);
    await expectPaidBack(paid);
  });

  it('brings no data while it goes back and the chain stands still', async () => {
    const paid = await settledLate();
    chain.stopMining();
    await sales.pass(DAY, 5);
    expect((await x402.query(paid.id, paid.headers)).body.code).toBe('payment_spent');
    chain.startMining();
    await sales.pass(HOUR, 10);
    await expectPaidBack(paid);
  });

  it('is told to the operator where it cannot be seen any more on its way back, and goes back once it can', async () => {
    const paid = await settledLate();
    market.clock.advance(DAY);
    chain.stopMining();
    await sales.pass(MINUTE);
    await expectAlarmWhileUnseen();
    chain.startMining();
    await sales.pass(HOUR, 10);
    await expectPaidBack(paid);
  });

  it('stays good for its data where nobody can pay it back', async () => {
    const paid = await settledLate();
    const { pay } = chain;
    chain.pay = async () => ({ kind: 'refused', reason: 'not_configured' });
    await sales.pass(3 * DAY, 6);
    chain.pay = pay;
    expect(paidBack(paid)).toEqual([]);
    expect((await x402.query(paid.id, paid.headers)).status).toBe(200);
    await sales.pass(3 * DAY, 6);
    expect([paidBack(paid), await withStatus(paid.id, 'held')]).toEqual([[], 1]);
  });

  /** Database 4, chain 2. */
  const CALLS_BACK = 6;

  it('makes no more calls than are broken below', async () => {
    const paid = await settledLate();
    market.clock.advance(DAY);
    const made = breakAt(x402, NOTHING);
    await refundLateSettlements(market.newPorts());
    expect(made()).toBe(CALLS_BACK);
    await x402.heal();
    await expectPaidBack(paid);
  });

  it.each(schedules(CALLS_BACK))(
    'breaks on its way back at $at: $fault, dead after it: $isDeath, and then goes on',
    async (schedule) => {
      const paid = await settledLate();
      market.clock.advance(DAY);
      breakAt(x402, schedule);
      await refundLateSettlements(market.newPorts()).catch(() => {});
      await x402.heal();
      await sales.pass(HOUR, 10);
      await expectPaidBack(paid);
    },
  );
});
