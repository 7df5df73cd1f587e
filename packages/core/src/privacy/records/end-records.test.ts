import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runEveryMinute } from '../../compose/jobs.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../kernel/time.ts';
import { reconcile } from '../../ledger/reconcile.ts';
import { settleChargeback } from '../../sales/index.ts';
import { boundKey } from '../../testing/fixtures/bound-key.ts';
import { AS_OPERATOR } from '../../testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createOpenSales, type OpenSale, type SaleWay } from '../../testing/fixtures/open-sales.ts';
import { tabClientOf } from '../../testing/fixtures/tabs.ts';
import { createQueryMarketplace } from '../../testing/marketplace/query-marketplace.ts';
import { checkSignature, digestOfSorted, type Receipt } from '../../testing/marketplace/read-signed.ts';
import { createUsdcShop } from '../../testing/marketplace/usdc-shop.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { HELD_DATA } from '../held/held-data.ts';
import { endRecords } from './end-records.ts';

// A marketplace with sales of two ages, on every rail: the older end as the years of records are over, cut off at every
// step, and nothing else changes.

const x402 = createQueryMarketplace();
const { sales, chain } = x402;
const { market, cards } = sales;
const open = createOpenSales(x402);
const shop = createUsdcShop(x402);
const tabs = tabClientOf(x402);
const YEARS = 10;
const WAYS: readonly SaleWay[] = ['wallet', 'card', 'checkout', 'x402', 'order', 'offer'];

chain.fund(chain.payTo, 10_000_000_000n);
cards.dashboard.fund(1_000_000);
afterAll(() => market.background.settled());

const jobs = () =>
  runEveryMinute(market.newPorts(), { siteUrl: null, recordsYears: YEARS, sendsMail: false });
const yearOf = () => Number(isoTime(market.clock.now()).slice(0, 4));
const to = (time: string) => market.clock.advance(Date.parse(time) - market.clock.now());

interface Age {
  readonly sold: readonly OpenSale[];
  readonly mark: string;
  readonly receipt: unknown;
  /** Random ids that must be nowhere any more. */
  readonly ids: readonly string[];
}

/** Without the id that each refusal has. */
const withoutId = ({ requestId: _, ...rest }: Record<string, unknown>) => rest;

async function json(method: string, path: string, key: string | null, body?: object, headers = {}) {
  const answer = await sales.request(method, path, key, body, headers);
  // biome-ignore lint/suspicious/noExplicitAny: answers of many operations.
  return { status: answer.status, body: withoutId(answer.body as any) as any };
}

/** One of everything that is kept as a record of money, brought to its end. */
async function trade(mark: string): Promise<Age> {
  const earlier = new Set(
    (await sales.rows<{ id: string }>('SELECT id FROM purchases UNION SELECT id FROM wallet_top_ups')).map(
      ({ id }) => id,
    ),
  );
  const sold: OpenSale[] = [];
  for (const way of WAYS) {
    const make = open.inState.held[way];
    if (make) sold.push(await make());
  }
  const [wallet, card, , query, order] = sold as [OpenSale, OpenSale, OpenSale, OpenSale, OpenSale];
  await open.ship(order);
  const rated = await json('POST', `/marketplace/listings/${wallet.listingId}/rate`, wallet.buyer.apiKey, {
    purchase_id: wallet.purchaseId,
    rating: 4,
    comment: mark,
  });
  expect(rated.status, JSON.stringify(rated.body)).toBeLessThan(300);

  // Without a key, over x402.
  const payer = x402.newPayer();
  const keyless = await x402.query(query.listingId, await x402.pay(payer, query.listingId, 2));
  expect(keyless.status, keyless.text).toBe(200);
  const { id: cheap } = await sales.listing({ priceCents: 1, priceMicros: 500 }, query.seller);
  const opened = await tabs.open(cheap, 100, await tabs.payFor(payer, cheap, 100));
  const asked = await tabs.ask(payer, opened.body.tabId, { sequence: 1, ceilingMicros: 500 });
  expect(asked.status, asked.text).toBe(200);
  await tabs.close(payer, opened.body.tabId);

  // Free, refunded, declined, and taken back by a bank.
  const free = await sales.listing({ priceCents: 0 }, wallet.seller);
  const freeSale = await sales.buy(free.id, wallet.buyer, {
    body: { query: { about: mark }, email: `${mark}@example.com` },
  });
  const disputed = await sales.buy((await sales.listing({}, wallet.seller)).id, card.buyer, {
    body: { payment_method: 'card' },
  });
  await json('POST', `/marketplace/purchases/${disputed.body.id}/dispute`, card.buyer.apiKey, {
    reason: mark,
  });
  await json(
    'POST',
    `/admin/disputes/${disputed.body.id}/decision`,
    null,
    { decision: 'refund', reason: mark },
    AS_OPERATOR,
  );
  const { offerId } = await open.offered(2000);
  const [offer] = await sales.rows<{ sellerId: string }>(
    'SELECT seller_id AS sellerId FROM offers WHERE id = ?',
    offerId,
  );
  await market.newPorts().market.commit([
    {
      sql: "UPDATE offers SET status = 'declined', decided_at = ? WHERE id = ?",
      params: [isoTime(market.clock.now()), offerId],
    },
  ]);
  expect(offer).toBeDefined();

  // Bounded, paid out in USDC, with a wallet to be given back; reported; held, paid by hand and gathered; adjusted.
  const { seller: usdcSeller, buyer: leaver } = await shop.open();
  const bounded = await sales.newAgent();
  await sales.fund(bounded, 3000);
  await boundKey(market.newPorts(), bounded, { totalCents: 5000 });
  await shop.sell(usdcSeller, bounded, 2000);
  const policyId = market.newPorts().ids.uuid();
  const report = { subjectType: 'listing', subjectId: free.id, reason: 'deception', text: mark };
  await json('POST', '/reports', null, report);
  const [found] = await sales.rows<{ id: string }>("SELECT id FROM moderation_cases WHERE state = 'open'");
  const decision = { action: 'dismiss', reason: 'It is music.' };
  await json('POST', `/admin/reports/${found?.id}/decision`, null, decision, AS_OPERATOR);
  const at = isoTime(market.clock.now());
  await market.newPorts().market.commit([
    { sql: 'INSERT INTO operator_holds VALUES (?, ?, ?, 0)', params: [freeSale.body.id, at, at] },
    { sql: 'INSERT INTO gas_costs VALUES (1, ?, ?, 1, ?)', params: [market.clock.now(), mark, at] },
    { sql: 'INSERT INTO gathered_sales VALUES (?, ?, ?)', params: [freeSale.body.id, wallet.seller.id, at] },
    {
      sql: "INSERT INTO paid_elsewhere VALUES (?, 'seller', 'bank', 1, '{}', ?)",
      params: [freeSale.body.id, at],
    },
    {
      sql: 'INSERT INTO spend_policies (id, agent_id, created_at, changed_at) VALUES (?, ?, ?, ?)',
      params: [policyId, leaver.id, at, at],
    },
    { sql: 'INSERT INTO seller_tax_details VALUES (?, ?, ?, ?)', params: [leaver.id, 'US', mark, at] },
  ]);
  await json(
    'POST',
    '/admin/ledger/adjustments',
    null,
    { account: 'card_clearing', amountCents: 5, reason: 'A cent short.', reference: `statement ${at}` },
    AS_OPERATOR,
  );

  await sales.pass(80 * HOUR_MS, 4);
  await sales.pass(7 * DAY_MS, 2);
  const transfer = cards.transfers.find((one) => one.purchaseId === wallet.purchaseId);
  cards.dashboard.reverseTransfer(transfer?.transferId ?? '', transfer?.amountCents ?? 0);
  for (let run = 0; run < 3; run += 1) {
    market.clock.advance(60_000);
    await jobs();
  }
  // Banks take back a part of a sale that was paid out, whose seller bears it, and of a credit.
  const [credit] = await sales.rows<{ id: string }>(
    "SELECT payment_id AS id FROM wallet_top_ups WHERE agent_id = ? AND status = 'paid'",
    wallet.buyer.id,
  );
  const paid = cards.payments.find(({ reference }) => reference?.id === card.purchaseId);
  for (const paymentId of [paid?.paymentId ?? '', credit?.id ?? '']) {
    const disputeId = cards.disputePayment(paymentId, { amountCents: 300 });
    cards.closeDispute(disputeId, 'lost');
    await settleChargeback(market.newPorts(), disputeId);
    if (paymentId === credit?.id) {
      const share = {
        sql: 'INSERT INTO chargeback_shares VALUES (?, ?, 1, 0)',
        params: [disputeId, wallet.purchaseId],
      };
      await market.newPorts().market.commit([share]);
    }
  }
  // What the seller has not any more is withheld of its next payout.
  await jobs();
  const next = await sales.listing({ priceCents: 3000 }, card.seller);
  await sales.buy(next.id, card.buyer, { body: { payment_method: 'card' } });
  expect((await json('DELETE', '/agents/me', leaver.apiKey)).status).toBe(202);
  await sales.pass(7 * DAY_MS, 4);
  for (let run = 0; run < 3; run += 1) {
    market.clock.advance(60_000);
    await jobs();
    await sales.pass(4 * DAY_MS, 2);
  }
  // What came back from a seller is its buyer's.
  const returned = `/admin/disputes/${wallet.purchaseId}/decision`;
  await json('POST', returned, null, { decision: 'refund', reason: mark }, AS_OPERATOR);
  await sales.pass(DAY_MS);
  await jobs();
  const claims = await sales.rows('SELECT 1 FROM seller_claims WHERE claim_cents <> withheld_cents');
  expect(claims).toEqual([]);
  const purchases = await sales.rows<{ id: string; status: string }>('SELECT id, status FROM purchases');
  expect(
    purchases.filter(({ status }) => !['released', 'refunded', 'failed', 'expired'].includes(status)),
  ).toEqual([]);
  const topUps = (await sales.rows<{ id: string }>('SELECT id FROM wallet_top_ups')).map(({ id }) => id);
  const ids = [...purchases.map(({ id }) => id), ...topUps].filter((id) => !earlier.has(id));
  return {
    sold,
    mark,
    ids: [...ids, offerId, policyId, payer.address.toLowerCase()],
    receipt: freeSale.body.receipt,
  };
}

/** Every row of every table of both databases, as text. */
async function everything(): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = new Map<string, string[]>();
  for (const database of [testBindings.DB, testBindings.SEARCH]) {
    const { results } = await database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of results as { name: string }[]) {
      const rows = await database.prepare(`SELECT * FROM "${name}"`).all();
      tables.set(
        name,
        rows.results.map((row) => JSON.stringify(row)),
      );
    }
  }
  return tables;
}

async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [name, rows] of await everything()) {
    for (const row of rows) {
      const text = texts.find((one) => row.includes(one));
      if (text !== undefined) found.push(`${name}: ${row.slice(0, 200)}`);
    }
  }
  return found;
}

const balances = () =>
  sales.rows('SELECT account, balance_cents FROM ledger_accounts WHERE balance_cents <> 0 ORDER BY account');
const findings = async () =>
  (await reconcile(market.newPorts().market, { processor: null, chain: null }, market.clock.now())).findings;

async function closeMonths(): Promise<void> {
  for (let run = 0; run < 12; run += 1) await jobs();
  await market.newPorts().market.commit([
    {
      sql: 'UPDATE ledger_periods SET closed_at = ?, balances = carried WHERE closed_at IS NULL',
      params: [isoTime(market.clock.now())],
    },
  ]);
}

/** The job, with one of its commits lost: before it took effect, or its answer after it did. */
const broken = (at: number, isAfter: boolean): Database => {
  const { market: whole } = market.newPorts();
  let calls = 0;
  return {
    ...whole,
    async commit(statements: Statement[]) {
      calls += 1;
      if (calls !== at) return whole.commit(statements);
      if (isAfter) await whole.commit(statements);
      throw new Error('The connection was lost.');
    },
  } as Database;
};

const run = (database = market.newPorts().market) =>
  endRecords({ ...market.newPorts(), market: database }, { recordsYears: YEARS });

async function seen(sale: OpenSale) {
  const read = await json('GET', `/marketplace/purchases/${sale.purchaseId}?content=omit`, sale.buyer.apiKey);
  const documents = await json(
    'GET',
    `/marketplace/purchases/${sale.purchaseId}/documents`,
    sale.buyer.apiKey,
  );
  return [read, documents];
}

const statement = ({ apiKey }: RegisteredAgent, month: string) =>
  json('GET', `/sell/statements/${month}`, apiKey);
const annual = ({ apiKey }: RegisteredAgent, year: number) =>
  json('GET', `/sell/annual-totals?year=${year}`, apiKey);

let old: Age;
let young: Age;
let oldMonth: string;
let youngMonth: string;
let before: Awaited<ReturnType<typeof look>>;

async function look() {
  return {
    balances: await balances(),
    seen: await Promise.all(young.sold.map(seen)),
    statements: await Promise.all(young.sold.map(({ seller }) => statement(seller, youngMonth))),
    annual: await Promise.all(young.sold.map(({ seller }) => annual(seller, Number(youngMonth.slice(0, 4))))),
    rows: new Map(
      [...(await everything())].map(([name, rows]) => [
        name,
        rows.filter((row) => young.ids.some((id) => row.includes(id))).sort(),
      ]),
    ),
  };
}

beforeAll(async () => {
  old = await trade('zebrafinch');
  const oldYear = yearOf();
  oldMonth = isoTime(market.clock.now() - 8 * DAY_MS).slice(0, 7);
  to(`${oldYear + 1}-02-01T02:00:00.000Z`);
  await closeMonths();
  to(`${oldYear + YEARS}-11-01T00:00:00.000Z`);
  young = await trade('goldcrest');
  youngMonth = isoTime(market.clock.now() - 8 * DAY_MS).slice(0, 7);
  to(`${oldYear + YEARS}-12-31T23:59:59.999Z`);
  await closeMonths();
  before = await look();
}, 300_000);

/** Tables whose rows end with records, and that nothing is in. */
async function emptyTables(): Promise<string[]> {
  const rows = await everything();
  return HELD_DATA.filter(({ name, ends }) => ends !== undefined && (rows.get(name)?.length ?? 0) === 0).map(
    ({ name }) => name,
  );
}

const settle = async () => {
  for (let runs = 0; runs < 40; runs += 1) await run();
};

describe('records end with the calendar year and the years after it', () => {
  it('is all there a moment before', async () => {
    expect(await findings()).toEqual([]);
    // Nothing is open any more.
    expect(await emptyTables()).toEqual(['open_subjects']);
    const rows = await everything();
    await settle();
    const held = HELD_DATA.filter(({ ends }) => ends !== undefined).map(({ name }) => name);
    const still = await everything();
    for (const name of held) expect(still.get(name), name).toEqual(rows.get(name));
  }, 300_000);

  it('is nowhere any more once it is over, whatever breaks, and nothing else changed', async () => {
    market.clock.advance(1);
    await jobs();
    for (let at = 1; at <= 9; at += 1) {
      for (const isAfter of [false, true]) await run(broken(at, isAfter)).catch(() => {});
      await Promise.all([run(), run()]);
    }
    await settle();
    await jobs();
    // What operators decided stays in their signed chain, by id; why is not.
    const left = (await tablesWith([...old.ids, old.mark])).filter(
      (row) => !row.startsWith('operator_actions:'),
    );
    expect([...left, ...(await tablesWith([old.mark]))]).toEqual([]);
    expect((await everything()).get('ending_records')).toEqual([]);
    expect(await findings()).toEqual([]);
    expect(await look()).toEqual(before);
  }, 300_000);

  it('leaves every sum as it was', async () => {
    expect(
      await sales.rows(`SELECT account FROM ledger_accounts AS a WHERE balance_cents <>
        (SELECT COALESCE(SUM(amount_cents), 0) FROM ledger_entries AS e WHERE e.account = a.account)`),
    ).toEqual([]);
    expect(await sales.rows('SELECT SUM(amount_cents) AS cents FROM ledger_entries')).toEqual([{ cents: 0 }]);
  });

  it('leaves receipts that were given out valid, offline and at the marketplace', async () => {
    const receipt = old.receipt as Receipt & { readonly statement: unknown };
    expect(await digestOfSorted(receipt.statement)).toBe(receipt.digest);
    await checkSignature(receipt);
    const { status, body } = await json('POST', '/verify-receipt', null, { receipt });
    expect([status, body.valid, body.digestValid, body.signatureValid]).toEqual([200, true, true, true]);
    const forged = await json('POST', '/verify-receipt', null, {
      receipt: { ...receipt, digest: `sha256:${'0'.repeat(64)}` },
    });
    expect([forged.status, forged.body.valid]).toEqual([200, false]);
  });

  it('says plainly that it ended', async () => {
    const [sale] = old.sold;
    if (!sale) throw new Error('Something was sold.');
    const [read, documents] = await seen(sale);
    expect([read?.status, read?.body.code]).toEqual([404, 'purchase_not_found']);
    expect([documents?.status, documents?.body.code]).toEqual([404, 'purchase_not_found']);
    const stated = await statement(sale.seller, oldMonth);
    expect([stated.status, stated.body.code]).toEqual([410, 'records_ended']);
    const year = await annual(sale.seller, Number(oldMonth.slice(0, 4)));
    expect([year.status, year.body.code]).toEqual([410, 'records_ended']);
    for (const path of [
      `/admin/periods/${oldMonth}/postings`,
      `/admin/reconciliation?month=${oldMonth}`,
      `/admin/annual-totals?year=${oldMonth.slice(0, 4)}`,
    ]) {
      const answer = await json('GET', path, null, undefined, AS_OPERATOR);
      expect([answer.status, answer.body.code], path).toEqual([410, 'records_ended']);
    }
  });
});
