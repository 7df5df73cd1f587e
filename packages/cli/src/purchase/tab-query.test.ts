import { writeFileSync } from 'node:fs';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import type { PendingVoucher } from '@agent-marketplace/sdk';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ReceivedCall,
  type StubReply,
  startStubMarketplace,
} from '../../../sdk/src/testing/stub-marketplace.ts';

import { createCliHome, type RunOptions } from '../testing/run-cli.ts';
import { storePayment } from './kept-payment.ts';

// One query of a tab is charged once: its voucher is kept from before it is sent until the marketplace says what became of it.

const party = await createSigningParty();
const stub = await startStubMarketplace(party);
const home = await createCliHome({
  AGENT_MARKET_URL: stub.baseUrl,
  AGENT_MARKET_PAYER_KEY: `0x${'11'.repeat(32)}`,
});
afterAll(async () => {
  await home.remove();
  await stub.close();
});

const TAB = '01890000-0000-7000-8000-000000000001';
const FILE = join(dirname(home.configPath), 'tabs', `${TAB}.json`);
const PRICE = 50_000;
const CONTENT = { low: '04:12' };
const PAYMENT = {
  listingId: 'l-1',
  query: {},
  header: { name: 'PAYMENT-SIGNATURE', value: 'e30=' },
  amountCents: 30,
  payer: `0x${'aa'.repeat(20)}`,
  payTo: `0x${'fe'.repeat(20)}`,
  chainId: 8453,
  asset: `0x${'83'.repeat(20)}`,
  nonce: `0x${'11'.repeat(32)}`,
  validBefore: 0,
} as const;

const opened = { url: stub.baseUrl, payment: PAYMENT, opensTab: true } as const;

/** The tab at the marketplace, which answers each voucher once. */
const market = {
  sold: new Map<string, PendingVoucher>(),
  closedAt: null as string | null,
  restCents: null as number | null,
  /** The answers to requests whose path ends so are lost, after the work is done. */
  losing: '',
  answerQuery: null as ((voucher: PendingVoucher) => StubReply | null) | null,
};

const stateOf = () => ({
  tabId: TAB,
  limitMicros: 300_000,
  chargedMicros: market.sold.size * PRICE,
  reservedMicros: 0,
  sequence: Math.max(0, ...[...market.sold.values()].map(({ sequence }) => sequence)),
  ceilingMicros: market.sold.size * PRICE,
  expiresAt: '2026-06-02T12:00:00.000Z',
  closedAt: market.closedAt,
  restCents: market.restCents,
  returnGasCents: null,
  returnTransaction: null,
});

async function receiptOf({ query, sequence }: PendingVoucher) {
  const statement = {
    type: 'tab_query_receipt',
    tabId: TAB,
    sequence,
    listingId: 'l-1',
    queryDigest: await canonicalDigest(query),
    amountMicros: PRICE,
    contentDigest: await canonicalDigest(CONTENT),
  };
  return signStatement(party.signer, statement, '2026-06-01T12:00:00.000Z');
}

const answers = new Map<string, JsonObject>();

/** Prepares the answers to a query, since the stub answers at once. */
async function prepare(query: JsonObject) {
  for (let sequence = 1; sequence <= 4; sequence++) {
    const receipt = await receiptOf({ query, sequence } as PendingVoucher);
    answers.set(`${sequence} ${JSON.stringify(query)}`, {
      content: CONTENT,
      priceMicros: PRICE,
      units: null,
      receipt,
    } as unknown as JsonObject);
  }
}

function answer({ method, path, body }: ReceivedCall): StubReply | null {
  const isLost = market.losing !== '' && path.endsWith(market.losing);
  if (path.endsWith('/queries')) {
    const voucher = JSON.parse(body) as PendingVoucher;
    const other = market.answerQuery?.(voucher);
    if (other !== undefined) return other;
    market.sold.set(voucher.signature, voucher);
    const sold = answers.get(`${voucher.sequence} ${JSON.stringify(voucher.query)}`) ?? {};
    return isLost ? null : { body: sold };
  }
  if (path.endsWith('/close')) {
    market.closedAt ??= '2026-06-01T13:00:00.000Z';
    market.restCents = 20;
    return isLost ? null : { body: stateOf() as unknown as JsonObject };
  }
  if (method === 'GET' && path.includes('/listings/'))
    return { body: { listing: { id: 'l-1', priceCents: 5, priceMicros: PRICE } } };
  return isLost ? null : { body: stateOf() as unknown as JsonObject };
}

const CITY = { city: 'tl' };
const OTHER = { city: 'lx' };

beforeEach(async () => {
  Object.assign(market, {
    sold: new Map(),
    closedAt: null,
    restCents: null,
    losing: '',
    answerQuery: null,
  });
  await Promise.all([prepare(CITY), prepare(OTHER)]);
  stub.answers(answer);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-01T12:00:00Z') });
  await storePayment(FILE, opened);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Waits pass by the clock alone. */
const sleep = async (ms: number, signal?: AbortSignal) => {
  signal?.throwIfAborted();
  vi.setSystemTime(Date.now() + ms);
};
const ask = (query: object, more: string[] = [], options: RunOptions = {}) =>
  home.run(['tab', 'ask', TAB, '--query', JSON.stringify(query), ...more], { sleep, ...options });
const close = () => home.run(['tab', 'close', TAB], { sleep });
const kept = async () => JSON.parse(await readFile(FILE, 'utf8'));
const isKept = () =>
  access(FILE).then(
    () => true,
    () => false,
  );
const vouchers = () => [
  ...new Set(
    stub.calls
      .filter(({ path }) => path.endsWith('/queries'))
      .map(({ body }) => (JSON.parse(body) as PendingVoucher).signature),
  ),
];

describe('a query of a tab', () => {
  it('leaves nothing open once it is answered, and the next one has a voucher of its own', async () => {
    expect((await ask(CITY)).exitCode).toBe(0);
    expect(await kept()).not.toHaveProperty('voucher');
    expect((await ask(CITY)).exitCode).toBe(0);
    expect(market.sold.size).toBe(2);
  });

  it('whose answer is lost is charged once, and answered by the same command', async () => {
    market.losing = '/queries';
    const lost = await ask(CITY, ['--json']);
    expect([lost.exitCode, lost.json.error]).toMatchObject([12, { charged: null, tabId: TAB }]);
    expect(lost.json.error.message).toContain('The answer was lost; the query may have been charged');
    expect((await kept()).voucher).toMatchObject({ query: CITY, sequence: 1 });

    const other = await ask(OTHER);
    expect([other.exitCode, market.sold.size]).toEqual([8, 1]);
    expect(other.stderr).toContain(`agent-market tab ask ${TAB} --query '{"city":"tl"}'`);
    expect(other.stderr).toContain('--abandon');

    expect((await ask(CITY)).exitCode).toBe(12);
    market.losing = '';
    const again = await ask(CITY);
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([0, CONTENT]);
    expect([vouchers().length, market.sold.size]).toEqual([1, 1]);
    expect(await kept()).not.toHaveProperty('voucher');
    expect((await ask(OTHER)).exitCode).toBe(0);
  });

  it('is not sent for more than is allowed now', async () => {
    market.losing = '/queries';
    await ask(CITY);
    const { exitCode, stderr } = await ask(CITY, ['--max-price-micros', '100']);
    expect([exitCode, stderr]).toEqual([12, expect.stringContaining('--max-price-micros 50000')]);
  });

  it('may be given up for another', async () => {
    market.losing = '/queries';
    await ask(CITY);
    market.losing = '';
    expect((await ask(OTHER, ['--abandon'])).exitCode).toBe(0);
    expect(market.sold.size).toBe(2);
  });

  it('is kept before it is sent, and so survives a crash', async () => {
    let before: unknown = null;
    market.answerQuery = () => null;
    const reading = home.run(['tab', 'ask', TAB, '--query', '{"city":"tl"}'], {
      sleep: async (ms) => {
        before ??= (await kept()).voucher;
        await sleep(ms);
      },
    });
    await reading;
    expect(before).toMatchObject({ query: CITY });
  });

  it('is not sent where its voucher cannot be kept', async () => {
    await writeFile(`${FILE}.lock`, `${process.pid} test`);
    const asking = ask(CITY);
    // The lock's time is that of the machine's clock.
    const passing = setInterval(() => vi.setSystemTime(Date.now() + 10_000), 5);
    const { exitCode } = await asking.finally(() => clearInterval(passing));
    await rm(`${FILE}.lock`);
    expect([exitCode, market.sold.size, vouchers().length]).toEqual([3, 0, 0]);
    expect(await kept()).not.toHaveProperty('voucher');
  });

  it('is told after Ctrl-C as one that the same command goes on with', async () => {
    market.losing = '/queries';
    const interrupt = new AbortController();
    const stopped = await ask(CITY, [], {
      interrupt: interrupt.signal,
      sleep: async (ms, signal) => {
        interrupt.abort();
        await sleep(ms, signal);
      },
    });
    expect([stopped.exitCode, stopped.stderr]).toEqual([
      130,
      expect.stringContaining('Run the same command again: it asks with the same voucher'),
    ]);
    market.losing = '';
    expect((await ask(CITY)).exitCode).toBe(0);
    expect(market.sold.size).toBe(1);
  });

  it('does not end the one of another command that asks at the same time', async () => {
    const voucher = {
      tabId: TAB,
      query: OTHER,
      sequence: 1,
      ceilingMicros: 1,
      signature: '0x',
      maxPriceMicros: 1,
    };
    stub.answers((call) => {
      // Between what this command reads of the file and what it would keep there.
      if (call.path.includes('/listings/')) writeFileSync(FILE, JSON.stringify({ ...opened, voucher }));
      return answer(call);
    });
    const { exitCode, stderr } = await ask(CITY);
    expect([exitCode, vouchers()], stderr).toEqual([8, []]);
    expect((await kept()).voucher).toEqual(voucher);
  });

  const refusal = (status: number, code: string, charged: boolean | null) => ({
    status,
    headers: { 'retry-after': '0' },
    body: { code, title: 'No.', detail: 'See.', status, requestId: 'r', retryable: false, charged },
  });
  it.each([
    ['goes', refusal(502, 'delivery_failed', false), 10, false],
    ['goes', refusal(409, 'price_above_max', false), 9, false],
    ['stays', refusal(503, 'paid_not_delivered', true), 12, true],
    ['stays', refusal(409, 'tab_query_in_progress', null), 12, true],
    ['stays', refusal(429, 'rate_limited', false), 12, true],
    ['stays', refusal(409, 'tab_answer_repeated', true), 12, true],
    ['stays', { status: 502, body: '<html>' }, 12, true],
  ] as const)('%s after %j', async (_, reply, exit, stays) => {
    market.answerQuery = () => reply;
    const { exitCode, stderr } = await ask(CITY);
    expect([exitCode, 'voucher' in (await kept())], stderr).toEqual([exit, stays]);
    if (stays) expect(stderr).not.toContain('Nothing was charged');
  });
});

describe('a tab that is closed already', () => {
  it('is told by close and forgotten', async () => {
    Object.assign(market, { closedAt: '2026-06-01T12:30:00.000Z', restCents: 20 });
    const { exitCode, stdout, stderr } = await close();
    expect([exitCode, stdout, await isKept()]).toEqual([0, expect.stringContaining('Closed. '), false]);
    expect(stderr).toContain('What is left goes back');
    expect(stub.calls.map(({ method }) => method)).toEqual(['GET']);
  });

  it('is told by ask and forgotten', async () => {
    Object.assign(market, { closedAt: '2026-06-01T12:30:00.000Z', restCents: 20 });
    const { exitCode, stderr } = await ask(CITY);
    expect([exitCode, await isKept()]).toEqual([8, false]);
    expect(stderr).toContain(`${TAB} was closed at 2026-06-01T12:30:00.000Z`);
    expect(stderr).toContain('What is left goes back');
  });

  it('still brings the answer of a query that was lost', async () => {
    market.losing = '/queries';
    await ask(CITY);
    market.losing = '';
    const closed = await close();
    expect([closed.exitCode, closed.stderr]).toEqual([
      0,
      expect.stringContaining(`agent-market tab ask ${TAB}`),
    ]);
    expect((await ask(CITY)).exitCode).toBe(0);
    expect([market.sold.size, await isKept()]).toEqual([1, false]);
  });
});

describe('a lost answer of close', () => {
  it('is made up for by the tab, which says that it is closed', async () => {
    market.losing = '/close';
    const { exitCode, stderr } = await close();
    expect([exitCode, await isKept()], stderr).toEqual([0, false]);
  });

  it('ends with 12 where the tab does not say so, and the same command goes on', async () => {
    market.losing = TAB;
    let calls = 0;
    stub.answers((call) => {
      calls++;
      const reply = answer(call);
      return calls === 1
        ? { body: stateOf() as unknown as JsonObject }
        : call.path.endsWith('/close')
          ? null
          : reply;
    });
    const { exitCode, stderr } = await close();
    expect([exitCode, await isKept()]).toEqual([12, true]);
    expect(stderr).toContain('The answer was lost; the tab may be closed.\nRun the same command again');
    market.losing = '';
    stub.answers(answer);
    expect([(await close()).exitCode, await isKept()]).toEqual([0, false]);
  });
});
