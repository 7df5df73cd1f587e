import {
  base64Json,
  decodeHeader,
  type PaymentProtocol,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { fromAnyBase64, toBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { describe, expect, it } from 'vitest';
import { transferOf } from './sent-payments.ts';
import { CENT, createTabWorld, PAYER_UNITS } from './tab-world.ts';

// The one payment of a tab, by each protocol that it may come in: it opens one tab, or none; it is good for no other; and
// what can be lost to a chain that takes it back is the tab.

const { x402, tabs, shop, openTab, openAt, rowOf, salesOf, minutes, findings } = createTabWorld();
const { sales, market, chain } = x402;
const MINUTE = 60_000;
const PROTOCOLS = [1, 2, 'mpp'] as const satisfies readonly PaymentProtocol[];
type Shop = Awaited<ReturnType<typeof shop>>;

const settlements = () => chain.calls.filter(({ method }) => method === 'settle').length;

/** Nobody was charged, and nothing was opened. */
async function expectUnopened({ id, balance }: Pick<Shop, 'id' | 'balance'>) {
  expect([balance(), await salesOf(id)]).toEqual([PAYER_UNITS, []]);
}

/** What a payment header holds. */
function readHeader(headers: Readonly<Record<string, string>>) {
  const [header = ''] = Object.values(headers);
  const bytes = fromAnyBase64(header.replace('Payment ', '')) ?? new Uint8Array();
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The same signature as a payment of x402. */
function inVersion(version: 1 | 2, headers: Readonly<Record<string, string>>, accepted: object) {
  const { signature, type: _, authorization, ...rest } = readHeader(headers).payload;
  const payload = { signature, authorization: authorization ?? rest };
  return version === 1
    ? { 'X-PAYMENT': base64Json({ x402Version: 1, scheme: 'exact', network: 'base', payload }) }
    : { 'PAYMENT-SIGNATURE': base64Json({ x402Version: 2, accepted, payload }) };
}

describe.each(PROTOCOLS)('a payment for a tab, by %s', (protocol) => {
  it('in 50 parallel requests: one settlement, one tab (invariant 13)', async () => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100, { protocol });
    chain.calls.length = 0;
    const answers = await Promise.all(Array.from({ length: 50 }, () => tabs.open(found.id, 100, headers)));
    const opened = answers.filter(({ status }) => status === 200);
    expect(new Set(opened.map(({ body }) => body.tabId)).size).toBe(1);
    for (const { status, body } of answers.filter((one) => one.status !== 200))
      expect([status, body.code, body.retryable]).toEqual([409, 'payment_in_progress', true]);
    expect([settlements(), found.balance()]).toEqual([1, PAYER_UNITS - 100 * CENT]);
    expect(await salesOf(found.id)).toHaveLength(1);
    expect((await tabs.open(found.id, 100, headers)).body.tabId).toBe(opened[0]?.body.tabId);
  });

  it('is none for a tab of another listing, of another size, or for a query (invariant 13)', async () => {
    const found = await shop();
    const other = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100, { protocol });
    const asked = [
      () => tabs.open(other.id, 100, headers),
      () => tabs.open(found.id, 99, headers),
      () => x402.query(found.id, headers),
    ];
    // The first version is bound by its first use alone: what it is sent for first, it pays for if that costs as much.
    const unused = protocol === 1 ? asked.slice(1, 2) : asked;
    for (const ask of unused) {
      const { status, body, text } = await ask();
      expect([status, typeof body.error], text).toEqual([402, 'string']);
    }
    await expectUnopened(found);
    expect((await tabs.open(found.id, 100, headers)).status).toBe(200);
    for (const ask of asked) {
      const { status, body, text } = await ask();
      expect([status, body.code, body.charged], text).toEqual([409, 'payment_used_elsewhere', undefined]);
      expect(body.detail).toContain('a query of a listing, or a tab');
    }
    expect([await salesOf(other.id), found.balance()]).toEqual([[], PAYER_UNITS - 100 * CENT]);
  });

  it.each([
    ['was cancelled', ({ payer, headers }: Chance) => chain.cancel(payer.address, transferOf(headers).nonce)],
    [
      'paid somebody else',
      ({ headers }: Chance) => chain.relay({ ...transferOf(headers), to: `0x${'9'.repeat(40)}` }),
    ],
  ])('whose nonce %s is none (invariant 14)', async (_, happens) => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100, { protocol });
    happens({ ...found, headers });
    const refused = await tabs.open(found.id, 100, headers);
    expect([refused.status, refused.body.error], refused.text).toEqual([402, 'invalid_transaction_state']);
    expect(await salesOf(found.id)).toEqual([]);
  });

  it('that its payer brought to the chain itself is not settled again, and opens it where its nonce binds it (invariant 14)', async () => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100, { protocol });
    chain.relay(transferOf(headers));
    chain.calls.length = 0;
    expect((await tabs.open(found.id, 100, headers)).status).toBe(protocol === 'mpp' ? 200 : 409);
    expect([settlements(), found.balance()]).toEqual([0, PAYER_UNITS - 100 * CENT]);
    market.clock.advance(25 * 60 * 60_000);
    await minutes(15);
    expect(await findings()).toEqual([]);
  });

  it('that is longer than 16 KiB is not read', async () => {
    const found = await shop();
    const [name = ''] = Object.keys(await tabs.payFor(found.payer, found.id, 100, { protocol }));
    const long = `${protocol === 'mpp' ? 'Payment ' : ''}${'A'.repeat(17_000)}`;
    const { status, body } = await tabs.open(found.id, 100, { [name]: long });
    expect([status, body.code, body.charged]).toEqual([400, 'payment_malformed', false]);
    await expectUnopened(found);
  });

  it.each(PROTOCOLS.filter((other) => other !== protocol))('beside one by %s is refused', async (other) => {
    const found = await shop();
    const both = {
      ...(await tabs.payFor(found.payer, found.id, 100, { protocol })),
      ...(await tabs.payFor(found.payer, found.id, 100, { protocol: other })),
    };
    const { status, body } = await tabs.open(found.id, 100, both);
    expect([status, body.code, body.charged]).toEqual([400, 'two_payments', undefined]);
    await expectUnopened(found);
  });

  it('in the body beside another in a header is refused, and one in the body alone is taken', async () => {
    const found = await shop();
    const [first, second] = [
      await tabs.payFor(found.payer, found.id, 100, { protocol }),
      await tabs.payFor(found.payer, found.id, 100, { protocol }),
    ];
    const [payment = ''] = Object.values(second);
    const field = { 1: 'payment', 2: 'paymentSignature', mpp: 'credential' }[protocol];
    const body = { listingId: found.id, amountCents: 100, [field]: payment };
    const both = await tabs.post('/x402/tabs', body, first);
    expect([both.status, both.body.code, both.body.charged], both.text).toEqual([
      400,
      'two_payments',
      undefined,
    ]);
    await expectUnopened(found);
    if (protocol !== 'mpp') expect((await tabs.post('/x402/tabs', body)).status).toBe(200);
  });

  it.each(([1, 2] as const).filter((other) => other !== protocol))(
    'sent again by version %s is charged once, and it is said whose move it is',
    async (other) => {
      const found = await shop();
      const terms = await tabs.open(found.id, 100, {});
      const [accepted] = decodeHeader(terms, 'PAYMENT-REQUIRED').accepts;
      const headers = await x402.answerTerms(found.payer, terms, protocol);
      expect((await tabs.open(found.id, 100, headers)).status).toBe(200);
      const again = await tabs.open(found.id, 100, inVersion(other, headers, accepted));
      expect([again.status, again.body.code], again.text).toEqual([409, 'payment_used_elsewhere']);
      expect(again.body.detail).toContain('by the same protocol');
      expect([found.balance(), await salesOf(found.id)]).toMatchObject([PAYER_UNITS - 100 * CENT, [{}]]);
    },
  );
});

interface Chance extends Shop {
  readonly headers: Readonly<Record<string, string>>;
}

describe('a payment that came with an id of its payer', () => {
  const withExtensions = (headers: Readonly<Record<string, string>>, extensions: object) => ({
    'PAYMENT-SIGNATURE': base64Json({ ...readHeader(headers), extensions }),
  });

  it.each(['tab', 'query'] as const)(
    'for a %s is used without it, too, whatever it asks for',
    async (what) => {
      const found = await shop(20 * CENT);
      const headers =
        what === 'tab'
          ? await tabs.payFor(found.payer, found.id, 100, { protocol: 2 })
          : await x402.pay(found.payer, found.id, 2);
      const identified = withExtensions(headers, {
        'payment-identifier': { info: { id: `id_of_the_payer_${what}` } },
      });
      const send = () =>
        what === 'tab' ? tabs.open(found.id, 100, identified) : x402.query(found.id, identified);
      const first = await send();
      expect(first.status, first.text).toBe(200);
      const balance = found.balance();
      // The price of an answer is among them.
      for (const cents of [100, 20, 37]) {
        const { status, body, text } = await tabs.open(found.id, cents, withExtensions(headers, {}));
        expect([status, body.code, body.charged], text).toEqual([409, 'payment_used_elsewhere', undefined]);
      }
      expect([(await send()).status, found.balance()]).toEqual([200, balance]);
    },
  );
});

describe.each([2, 'mpp'] as const)('a challenge for a tab, by %s', (protocol) => {
  it.each(['edited', 'expired'])('that is %s is refused, and nobody is charged', async (which) => {
    const found = await shop();
    const long = { transfer: { validBefore: 2n ** 40n } };
    const headers = await tabs.payFor(found.payer, found.id, 100, { protocol, ...long });
    if (which === 'expired') market.clock.advance(16 * MINUTE);
    const sent = which === 'edited' ? edited(headers) : headers;
    const { status, body, text } = await tabs.open(found.id, 100, sent);
    const error = which === 'edited' ? 'invalid_challenge' : 'challenge_expired';
    expect([status, body.error], text).toEqual([402, error]);
    await expectUnopened(found);
  });
});

/** With another end of its challenge. */
function edited(headers: Readonly<Record<string, string>>): Record<string, string> {
  const sent = readHeader(headers);
  if (sent.challenge) {
    sent.challenge.expires = '2030-01-01T00:00:00.000Z';
    return { authorization: `Payment ${toBase64Url(utf8(JSON.stringify(sent)))}` };
  }
  sent.accepted.extra.challenge = sent.accepted.extra.challenge.replace(/\.\d+\./, '.1893456000000.');
  return { 'PAYMENT-SIGNATURE': base64Json(sent) };
}

describe('a voucher', () => {
  it('in 50 parallel requests: one charge, and the seller is asked once for it (invariant 13)', async () => {
    const tab = await openTab();
    const voucher = await tabs.voucherOf(tab.payer, tab.tabId, { sequence: 1, ceilingMicros: 500 });
    market.sellerEndpoint.requests.length = 0;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => tabs.post(`/x402/tabs/${tab.tabId}/queries`, voucher)),
    );
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThanOrEqual(1);
    expect(new Set(good.map(({ body }) => body.receipt.digest)).size).toBe(1);
    for (const { status, body } of answers.filter((one) => one.status !== 200))
      expect([status, body.code, body.retryable]).toEqual([409, 'tab_query_in_progress', true]);
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 500, reserved_micros: 0 });
    const first = market.sellerEndpoint.requests.filter(({ purpose }) => purpose?.redelivery === 0);
    expect(first).toHaveLength(1);
  });

  it('of one tab is none for another of the same payer', async () => {
    const tab = await openTab();
    const other = await openAt(tab);
    const voucher = await tabs.voucherOf(tab.payer, tab.tabId, { sequence: 1, ceilingMicros: 500 });
    const { status, body } = await tabs.post(`/x402/tabs/${other}/queries`, voucher);
    expect([status, body.code, body.charged]).toEqual([422, 'tab_not_signed', false]);
  });
});

describe('a payment that the chain takes back', () => {
  it('before it is deep enough opens no tab, and nothing is answered for it', async () => {
    const found = await shop();
    const headers = await tabs.payFor(found.payer, found.id, 100);
    market.sellerEndpoint.requests.length = 0;
    chain.stopMining();
    const pending = await tabs.open(found.id, 100, headers);
    expect([pending.status, pending.body.code]).toEqual([503, 'settlement_pending']);
    const [sale] = await sales.rows<{ id: string }>(
      'SELECT id FROM purchases WHERE listing_id = ?',
      found.id,
    );
    const tabId = sale?.id ?? '';
    const asked = await tabs.ask(found.payer, tabId, { sequence: 1, ceilingMicros: 500 });
    expect([asked.status, asked.body.code, asked.body.charged]).toEqual([409, 'tab_closed', false]);
    chain.mine();
    chain.dropLastBlock({ keepTransactions: false });
    chain.startMining();
    await minutes(10);
    expect(market.sellerEndpoint.requests.filter(({ body }) => body.includes('delivery_request'))).toEqual(
      [],
    );
    expect(await salesOf(found.id)).toEqual([{ status: 'expired', amount_cents: 100 }]);
    expect(found.balance()).toBe(PAYER_UNITS);
    expect(await findings()).toEqual([]);
  });

  it('after its queries were answered costs no more than the tab holds, and the books tell of it', async () => {
    const tab = await openTab(10);
    chain.dropLastBlock({ keepTransactions: false });
    expect(tab.balance()).toBe(PAYER_UNITS);
    for (let sequence = 1; sequence <= 200; sequence += 1) {
      const ceilingMicros = sequence * 500;
      expect((await tabs.ask(tab.payer, tab.tabId, { sequence, ceilingMicros })).status).toBe(200);
    }
    const more = await tabs.ask(tab.payer, tab.tabId, { sequence: 201, ceilingMicros: 100_500 });
    expect(more.body.code).toBe('tab_spent');
    expect(await rowOf(tab.tabId)).toMatchObject({ charged_micros: 10 * CENT });
    expect(await findings()).not.toEqual([]);
  });
});
