import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createPaidTool } from '@agent-marketplace/core/testing/fixtures/paid-tool.ts';
import {
  createQueryMarketplace,
  decodeHeader,
  type PaymentHeaders,
  type PaymentProtocol,
  type QueryAnswer,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { breakAt, NOTHING, schedules } from './chain-schedules.ts';
import { judgeAtEnd } from './oracle/judge-both.ts';
import { transferOf } from './sent-payments.ts';

// Money on chain cannot share a transaction with the database. Every call between them is broken here, one after
// the other; then the payer sends the same payment again, or never comes back and the job runs.

const anyQuery = createQueryMarketplace();
judgeAtEnd(anyQuery);
/** Each query has a mark. */
const MARK = 'zqfault';
const ASKED = `?city=${MARK}`;
const x402: typeof anyQuery = {
  ...anyQuery,
  query: (id, headers, parameters = ASKED) => anyQuery.query(id, headers, parameters),
  pay: (payer, id, version, forged) => anyQuery.pay(payer, id, version, { parameters: ASKED, ...forged }),
};
const { sales, market, chain, claims } = x402;
const tool = createPaidTool(anyQuery);
const QUERY = { city: MARK };

type Query = (id: string, headers: PaymentHeaders) => Promise<QueryAnswer>;
interface Way {
  readonly way: string;
  readonly protocol: PaymentProtocol;
  readonly parameters: string | typeof QUERY;
  readonly query: Query;
}

/** Every way in which one query is sent with its payment, and the payment shows later whose it is. */
const inBody: Query = (id, headers) => anyQuery.query(id, headers, QUERY);
const WAYS: readonly Way[] = [
  { way: 'x402 with GET', protocol: 2, parameters: ASKED, query: x402.query },
  { way: 'MPP with GET', protocol: 'mpp', parameters: ASKED, query: x402.query },
  { way: 'x402 with POST', protocol: 2, parameters: QUERY, query: inBody },
  { way: 'MPP with POST', protocol: 'mpp', parameters: QUERY, query: inBody },
  {
    way: 'a tool call',
    protocol: 2,
    parameters: QUERY,
    query: (id, headers) => tool.query(id, headers, QUERY),
  },
];

/** The first version shows it for a minute only. */
const PAID_WAYS: readonly Way[] = [
  ...WAYS,
  { way: 'x402 version 1', protocol: 1, parameters: ASKED, query: x402.query },
];

const PRICE = 100;
const UNITS = 1_000_000n;
const MINUTE = 60_000;

beforeEach(() => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
});
afterEach(async () => {
  await x402.heal();
  await sales.audit();
  // Wherever it broke, and whoever went on: what is stored cannot be read, and the seller is asked what was bought.
  const readable =
    'SELECT COUNT(*) AS n FROM purchases WHERE query IS NOT NULL OR instr(sealed_query, ?) > 0';
  expect(await sales.rows(readable, MARK)).toEqual([{ n: 0 }]);
  const requests = market.sellerEndpoint.requests.splice(0).map(({ body }) => JSON.parse(body));
  for (const { query } of requests.filter(({ type }) => type === 'delivery_request'))
    expect(query).toEqual({ city: MARK });
});

/** A listing with one copy, and a payer who can pay for it once. */
async function oneChance(
  fields: Record<string, unknown> = {},
  { protocol, parameters }: Pick<Way, 'protocol' | 'parameters'> = { protocol: 2, parameters: ASKED },
) {
  const { id } = await sales.listing({ priceCents: PRICE, listingType: 'limited', maxCopies: 1, ...fields });
  const payer = x402.newPayer(UNITS);
  const headers = await x402.pay(payer, id, protocol, { parameters });
  const isPaid = () => chain.balanceOf(payer.address) === 0n;
  return { id, payer, headers, isPaid };
}

const sold = async (id: string) =>
  (await sales.purchases(id)).filter(({ status }) => status === 'held').length;
const open = async (id: string) =>
  (await sales.purchases(id)).filter(({ status }) => status === 'authorized').length;

/** Whoever is shown data has paid, and the sale is written down. */
async function expectPaidIfShown(id: string, answer: QueryAnswer, isPaid: () => boolean): Promise<void> {
  const isShown = answer.text.includes('"answer":42');
  expect(isShown).toBe(answer.status === 200);
  if (isShown) expect([isPaid(), await sold(id)]).toEqual([true, 1]);
  // Terms for a new payment are only given while the old one can cost nothing any more.
  if (answer.status === 402) expect(isPaid()).toBe(false);
  if (answer.body.charged === false) expect(isPaid()).toBe(false);
}

async function resend(id: string, headers: PaymentHeaders, query: Query = x402.query): Promise<QueryAnswer> {
  let answer = await query(id, headers);
  for (let n = 1; n < 6 && answer.status !== 200 && answer.status !== 402; n += 1) {
    market.clock.advance(2000);
    answer = await query(id, headers);
  }
  return answer;
}

/** Database 4, claims 2, chain 2, and what is counted in the background. */
const CALLS = 10;

describe('a paid query', () => {
  it('is one read, three commits, two calls of the object and two of the chain', async () => {
    const { id, headers } = await oneChance();
    await market.background.settled();
    market.market.reset();
    chain.calls.length = 0;
    claims.calls = 0;
    let before = 0;
    market.sellerEndpoint.script = (request) => {
      before = market.market.count;
      return sellerOf({ answer: 42 })(request);
    };
    expect((await x402.query(id, headers)).status).toBe(200);
    const waited = market.market.roundTrips.filter((sql) => !/^update "sellers"/i.test(sql.join()));
    expect([before, waited.length]).toEqual([2, 4]);
    expect(chain.calls.map(({ method }) => method)).toEqual(['check', 'settle']);
    expect(claims.calls).toBe(2);
  });

  it('a probe is one read, and asks neither chain nor object', async () => {
    const { id } = await oneChance();
    await market.background.settled();
    market.market.reset();
    chain.calls.length = 0;
    claims.calls = 0;
    await x402.query(id);
    expect([market.market.count, chain.calls.length, claims.calls]).toEqual([1, 0, 0]);
  });

  it('makes no more calls than are broken below', async () => {
    const { id, headers } = await oneChance();
    const made = breakAt(x402, NOTHING);
    await x402.query(id, headers);
    await market.background.settled();
    expect(made()).toBeLessThanOrEqual(CALLS);
  });

  it.each(schedules(CALLS).flatMap((schedule) => WAYS.map((way) => ({ ...schedule, ...way }))))(
    'by $way breaks at $at: $fault, dead after it: $isDeath; the same payment again ends it (invariants 3 and 8)',
    async ({ way: _, query, protocol, parameters, ...schedule }) => {
      const { id, headers, isPaid } = await oneChance({}, { protocol, parameters });
      breakAt(x402, schedule);
      const broken = await query(id, headers);
      await x402.heal();
      await expectPaidIfShown(id, broken, isPaid);
      await sales.audit();
      const answer = await resend(id, headers, query);
      await expectPaidIfShown(id, answer, isPaid);
      if (answer.status !== 200) {
        // A dead request holds its claim for a minute, and with it the payment's own.
        expect([answer.status, answer.body.code], answer.text).toEqual([409, 'payment_in_progress']);
        await sales.pass(3 * MINUTE);
        const late = await query(id, headers);
        expect(late.status, late.text).toBe(isPaid() ? 200 : 402);
      }
      await sales.pass(10 * MINUTE);
      expect([await sold(id), await open(id)]).toEqual([isPaid() ? 1 : 0, 0]);
    },
  );

  it.each(schedules(CALLS))(
    'breaks at $at: $fault, dead after it: $isDeath; nobody comes back, and the job ends it (invariant 8)',
    async (schedule) => {
      const { id, headers, isPaid } = await oneChance();
      breakAt(x402, schedule);
      await x402.query(id, headers);
      await x402.heal();
      await sales.pass(20 * MINUTE, 10);
      await sales.audit();
      expect([await sold(id), await open(id)]).toEqual([isPaid() ? 1 : 0, 0]);
      expect(await sales.sold(id)).toBe(isPaid() ? 1 : 0);
      // What was paid for stays to be had, as long after as it takes.
      if (isPaid()) expect((await x402.query(id, headers)).body.content).toEqual({ answer: 42 });
    },
  );

  it.each(schedules(6))(
    'sent again breaks at $at: $fault, dead after it: $isDeath, and then again',
    async (schedule) => {
      const { id, headers, isPaid } = await oneChance();
      chain.fault = ({ method }) => (method === 'settle' ? 'lose_reply' : undefined);
      expect((await x402.query(id, headers)).body.code).toBe('settlement_pending');
      breakAt(x402, schedule);
      await expectPaidIfShown(id, await x402.query(id, headers), isPaid);
      await x402.heal();
      await sales.pass(3 * MINUTE);
      const answer = await x402.query(id, headers);
      expect([answer.status, await sold(id), isPaid()]).toEqual([200, 1, true]);
    },
  );
});

describe('one authorisation', () => {
  it.each(PAID_WAYS)(
    'in 50 parallel requests by $way: one settlement, one delivery record (invariant 13)',
    async (way) => {
      const { id, headers, isPaid } = await oneChance({ maxCopies: 50 }, way);
      const before = chain.transfers.length;
      const answers = await Promise.all(Array.from({ length: 50 }, () => way.query(id, headers)));
      const good = answers.filter(({ status }) => status === 200);
      expect(good.length).toBeGreaterThanOrEqual(1);
      expect(new Set(good.map(({ body }) => body.id)).size).toBe(1);
      for (const { status, body } of answers.filter((one) => one.status !== 200))
        expect([status, body.code, body.retryable]).toEqual([409, 'payment_in_progress', true]);
      expect([chain.transfers.length - before, isPaid()]).toEqual([1, true]);
      expect(await sales.purchases(id)).toHaveLength(1);
      expect((await way.query(id, headers)).body.id).toBe(good[0]?.body.id);
    },
  );

  it('by GET, by POST and in tool calls at once: one settlement, one answer (invariant 13)', async () => {
    const { id, headers, isPaid } = await oneChance({ maxCopies: 50 }, { protocol: 2, parameters: QUERY });
    const before = chain.transfers.length;
    const ways = WAYS.filter(({ protocol }) => protocol === 2);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ways.map(({ query }) => query(id, headers))).flat(),
    );
    const good = answers.filter(({ status }) => status === 200);
    expect(new Set(good.map(({ body }) => body.id)).size).toBe(1);
    for (const { status, body } of answers.filter((one) => one.status !== 200))
      expect([status, body.code, body.retryable]).toEqual([409, 'payment_in_progress', true]);
    expect([chain.transfers.length - before, isPaid()]).toEqual([1, true]);
    expect(await sales.purchases(id)).toHaveLength(1);
  });

  it('in 20 parallel requests for different listings: one sale, the others refused (invariant 13)', async () => {
    const seller = await sales.seller();
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push((await sales.listing({ priceCents: PRICE }, seller)).id);
    const headers = await x402.pay(x402.newPayer(UNITS), ids[0] ?? '', 1);
    const before = chain.transfers.length;
    const answers = await Promise.all(ids.map((id) => x402.query(id, headers)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((one) => one.status !== 200))
      expect([status, body.code]).toEqual([409, 'payment_used_elsewhere']);
    expect(chain.transfers.length - before).toBe(1);
  });

  it('held by an object that forgot it still pays once: the database refuses the second', async () => {
    const { id, headers } = await oneChance({ maxCopies: 5 });
    const other = await sales.listing({ priceCents: PRICE });
    const good = market.sellerEndpoint.script;
    let second: QueryAnswer | undefined;
    market.sellerEndpoint.script = async (request) => {
      market.sellerEndpoint.script = good;
      claims.claims.clear();
      second = await x402.query(other.id, headers);
      return good(request);
    };
    const first = await x402.query(id, headers);
    expect([first.status, second?.status, second?.body.code]).toEqual([200, 409, 'payment_used_elsewhere']);
    expect(await sales.purchases(other.id)).toEqual([]);
  });
});

describe('"nonce already used"', () => {
  it.each(PAID_WAYS)('by a cancellation is not payment, by $way (invariant 14)', async (way) => {
    const { id, headers, payer } = await oneChance({}, way);
    chain.cancel(payer.address, transferOf(headers).nonce);
    const answer = await way.query(id, headers);
    expect([answer.status, answer.body.error]).toEqual([402, 'invalid_transaction_state']);
    expect(await sales.purchases(id)).toEqual([]);
  });

  it.each(PAID_WAYS)('by a transfer to somebody else is not payment, by $way (invariant 14)', async (way) => {
    const { id, headers, payer } = await oneChance({}, way);
    chain.relay({ ...transferOf(headers), to: `0x${'9'.repeat(40)}` });
    expect(chain.balanceOf(payer.address)).toBe(0n);
    const answer = await way.query(id, headers);
    expect([answer.status, answer.body.error]).toEqual([402, 'invalid_transaction_state']);
    expect(await sales.purchases(id)).toEqual([]);
  });

  it('by this very transfer buys nothing, whoever brought it to the chain: anybody may have copied it from there', async () => {
    const { id, headers, isPaid } = await oneChance();
    chain.relay(transferOf(headers));
    const answer = await x402.query(id, headers);
    expect([answer.status, answer.body.code, answer.body.charged]).toEqual([409, 'payment_spent', undefined]);
    expect(answer.body.detail).toContain('goes back to the account that paid');
    await sales.pass(26 * 60 * MINUTE, 30);
    expect(isPaid()).toBe(false);
  });

  it('between two answers of the node is looked for again', async () => {
    const { id, headers } = await oneChance();
    chain.relay(transferOf(headers));
    vi.spyOn(chain, 'check').mockResolvedValueOnce({ kind: 'invalid', fault: 'invalid_transaction_state' });
    const { body } = await x402.query(id, headers);
    expect([body.code, body.charged]).toEqual(['payment_spent', undefined]);
    await sales.pass(26 * 60 * MINUTE, 30);
  });

  it('and a chain that cannot say how: 503, nothing shown, nothing written', async () => {
    const { id, headers } = await oneChance();
    chain.relay(transferOf(headers));
    chain.fault = ({ method }) => (method === 'find' ? 'lose_request' : undefined);
    const { body } = await x402.query(id, headers);
    // It is paid, for all that is known.
    expect([body.code, body.charged]).toEqual(['platform_payment_unavailable', undefined]);
    expect(await sales.purchases(id)).toEqual([]);
    await x402.heal();
    expect((await x402.query(id, headers)).body.code).toBe('payment_spent');
    await sales.pass(26 * 60 * MINUTE, 30);
  });
});

describe('between check and settlement', () => {
  async function meanwhile(happens: (chance: Awaited<ReturnType<typeof oneChance>>) => void) {
    const chance = await oneChance();
    const good = market.sellerEndpoint.script;
    market.sellerEndpoint.script = (request) => {
      happens(chance);
      return good(request);
    };
    return { ...chance, answer: await x402.query(chance.id, chance.headers) };
  }

  it('the payer empties its wallet: 402, nothing shown, the copy is back', async () => {
    const { id, answer } = await meanwhile(({ payer }) => {
      const nonce = `0x${crypto.randomUUID().replaceAll('-', '').padEnd(64, '0')}` as const;
      const away = {
        to: `0x${'8'.repeat(40)}` as const,
        units: UNITS,
        validAfter: 0n,
        validBefore: 1n << 60n,
      };
      chain.relay({ ...away, from: payer.address, nonce });
    });
    expect([answer.status, answer.body.error]).toEqual([402, 'insufficient_funds']);
    expect(decodeHeader(answer, 'PAYMENT-RESPONSE')).toMatchObject({ success: false, transaction: '' });
    expect(answer.text).not.toContain('"answer":42');
    expect([await sales.sold(id), await sold(id)]).toEqual([0, 0]);
  });

  it('the payer cancels: 402, nothing shown, the copy is back', async () => {
    const { id, answer, isPaid } = await meanwhile(({ payer, headers }) => {
      chain.cancel(payer.address, transferOf(headers).nonce);
    });
    expect([answer.status, isPaid(), await sales.sold(id)]).toEqual([402, false, 0]);
    expect(answer.text).not.toContain('"answer":42');
  });

  it('the seller takes too long for the authorisation: 402, not asked to settle', async () => {
    const { id, answer, isPaid } = await meanwhile(() => {
      market.clock.advance(58_000);
    });
    expect([answer.status, answer.body.error]).toEqual([
      402,
      'invalid_exact_evm_payload_authorization_valid_before',
    ]);
    expect([isPaid(), await sales.sold(id)]).toEqual([false, 0]);
  });

  it('who should settle does not want to: 503, and the same payment is good later', async () => {
    const { id, headers, isPaid } = await oneChance();
    chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
    const refused = await x402.query(id, headers);
    expect([refused.status, refused.body.code, isPaid()]).toEqual([
      503,
      'platform_payment_unavailable',
      false,
    ]);
    await x402.heal();
    expect([(await x402.query(id, headers)).status, isPaid()]).toEqual([200, true]);
  });

  it('who should settle says that it failed, and the chain says otherwise: sold', async () => {
    const { id, headers, isPaid } = await oneChance();
    const { settle } = chain;
    chain.settle = async (...args) => {
      await settle.apply(chain, args);
      return { kind: 'rejected', fault: 'unexpected_settle_error' };
    };
    const answer = await x402.query(id, headers);
    chain.settle = settle;
    expect([answer.status, isPaid(), await sold(id)]).toEqual([200, true, 1]);
  });

  it('it is said to have failed, and comes late: the same payment brings the data, and is not asked twice', async () => {
    const { id, headers, isPaid } = await oneChance();
    chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
    expect((await x402.query(id, headers)).status).toBe(503);
    await x402.heal();
    chain.relay(transferOf(headers));
    market.clock.advance(10 * MINUTE);
    const answer = await x402.query(id, headers);
    expect([answer.status, isPaid(), await sold(id)]).toEqual([200, true, 1]);
  });
});

it('what is said to have failed is not called unpaid while the chain cannot be asked', async () => {
  const { id, headers, isPaid } = await oneChance();
  chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
  expect((await x402.query(id, headers)).status).toBe(503);
  await x402.heal();
  chain.relay(transferOf(headers));
  market.clock.advance(10 * MINUTE);
  chain.fault = () => 'lose_request';
  const answer = await x402.query(id, headers);
  expect([answer.status, answer.body.code, answer.body.charged]).toEqual([
    503,
    'platform_payment_unavailable',
    undefined,
  ]);
  await x402.heal();
  expect([(await x402.query(id, headers)).status, isPaid(), await sold(id)]).toEqual([200, true, 1]);
});

describe('a chain that', () => {
  it('is down: 503, nothing charged, no terms for another payment', async () => {
    const { id, headers } = await oneChance();
    chain.fault = () => 'lose_request';
    const { status, body, headers: answered } = await x402.query(id, headers);
    expect([status, body.code, body.charged]).toEqual([503, 'platform_payment_unavailable', false]);
    expect([Number(answered.get('retry-after')) > 0, answered.get('payment-required')]).toEqual([true, null]);
    await x402.heal();
    expect((await x402.query(id, headers)).status).toBe(200);
  });

  it('never mines it: 503 while it waits, and the copy is back when it does so no more', async () => {
    const { id, headers, isPaid } = await oneChance();
    chain.stopMining();
    const pending = await x402.query(id, headers);
    expect([pending.status, pending.body.code, pending.body.charged]).toEqual([
      503,
      'settlement_pending',
      true,
    ]);
    expect(pending.body.detail).toMatch(/0x[0-9a-f]{64}/);
    expect((await x402.query(id, headers)).body.code).toBe('settlement_pending');
    chain.forgetWaiting();
    // Nobody has its transaction any more: a scarce copy is not held for it, though it could still be settled.
    await sales.pass(5 * MINUTE);
    expect([await open(id), await sales.sold(id)]).toEqual([0, 0]);
    chain.mine();
    await sales.pass(20 * MINUTE, 10);
    expect([isPaid(), await sold(id), await sales.sold(id)]).toEqual([false, 0, 0]);
    const after = await x402.query(id, headers);
    expect([after.status, after.body.error]).toEqual([
      402,
      'invalid_exact_evm_payload_authorization_valid_before',
    ]);
  });

  it('mines it after the time-out: the job records the sale, the same payment brings the data', async () => {
    const { id, headers, isPaid } = await oneChance();
    chain.stopMining();
    expect((await x402.query(id, headers)).body.code).toBe('settlement_pending');
    chain.startMining();
    await sales.pass(10 * MINUTE);
    expect([isPaid(), await sold(id)]).toEqual([true, 1]);
    const [{ seller_id: sellerId } = { seller_id: '' }] = await sales.rows<{ seller_id: string }>(
      'SELECT seller_id FROM purchases WHERE listing_id = ?',
      id,
    );
    expect(await sales.account(`escrow:${sellerId}`)).toBeGreaterThan(0);
    const answer = await x402.query(id, headers);
    expect([answer.status, answer.body.content, answer.body.contentMatchesReceipt]).toEqual([
      200,
      { answer: 42 },
      true,
    ]);
    expect(answer.body.receipt.statement.purchaseId).toBe(answer.body.id);
  });

  it('loses it in a reorganisation while it is not deep enough: it is asked for again', async () => {
    const { id, headers, isPaid } = await oneChance();
    chain.stopMining();
    await x402.query(id, headers);
    chain.mine();
    chain.dropLastBlock({ keepTransactions: false });
    chain.startMining();
    const answer = await resend(id, headers);
    expect([answer.status, isPaid(), await sold(id)]).toEqual([200, true, 1]);
  });
});

describe('a payment that is settled and waits for its data', () => {
  it('is kept when the seller fails then: 503, charged, and good as soon as it delivers', async () => {
    const { id, headers } = await oneChance();
    chain.fault = ({ method }) => (method === 'settle' ? 'lose_reply' : undefined);
    await x402.query(id, headers);
    await x402.heal();
    market.sellerEndpoint.script = () => replied('', 404);
    const { status, body } = await x402.query(id, headers);
    expect([status, body.code, body.charged]).toEqual([503, 'paid_not_delivered', true]);
    expect(await sales.sold(id)).toBe(1);
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    expect((await x402.query(id, headers)).status).toBe(200);
  });

  it('after a sale, the seller failing or another content change nothing of it', async () => {
    const { id, headers } = await oneChance();
    const first = await x402.query(id, headers);
    market.sellerEndpoint.script = () => replied('', 404);
    expect((await x402.query(id, headers)).body.code).toBe('paid_not_delivered');
    market.sellerEndpoint.script = sellerOf({ answer: 43 });
    const again = await x402.query(id, headers);
    expect([again.body.contentMatchesReceipt, again.body.contentDigest]).toEqual([
      false,
      first.body.contentDigest,
    ]);
  });
});

describe('the object that keeps claims', () => {
  it('throwing: 503, nothing charged, nothing written; the same payment is good afterwards', async () => {
    const { id, headers, isPaid } = await oneChance();
    claims.fault = () => 'lose_request';
    const { status, body } = await x402.query(id, headers);
    expect([status, body.code, body.charged, isPaid()]).toEqual([503, 'service_unavailable', false, false]);
    expect(await sales.purchases(id)).toEqual([]);
    await x402.heal();
    expect((await x402.query(id, headers)).status).toBe(200);
  });
});
