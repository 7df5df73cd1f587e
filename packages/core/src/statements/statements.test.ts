import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../kernel/time.ts';
import {
  bookProcessorEntries,
  compareLedgerEntries,
  endPeriods,
  post,
  refund,
  restore,
  walletAccount,
} from '../ledger/index.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';

// One seller sells in June and July. What its statements say must be what the ledger has.
const world = createSalesMarketplace();
const AS_OPERATOR = { 'x-mkt-admin': TEST_ADMIN_SECRET };

interface Statement {
  readonly closingBalanceCents: number;
  readonly feeInvoice: { readonly feeCents: number; readonly number: string } | null;
  readonly isFinal: boolean;
  readonly lines: readonly Record<string, string | number>[];
  readonly nextAfter: number | null;
  readonly openingBalanceCents: number;
  readonly sellerLabel: string;
  readonly total: number;
  readonly totals: Readonly<Record<string, number>>;
}

let seller: RegisteredAgent;
let buyer: RegisteredAgent;
const sold: string[] = [];

async function sell(priceCents: number): Promise<string> {
  const listing = await world.listing({ priceCents, title: '=1+1, "Tide" <b>tables</b>' }, seller);
  const { status, body } = await world.buy((listing as { id: string }).id, buyer);
  expect([status, body.status]).toEqual([200, 'held']);
  sold.push(body.id);
  return body.id;
}

const get = async <T>(path: string, apiKey: string | null, headers = {}): Promise<T> => {
  const { status, body } = await world.request('GET', path, apiKey, undefined, headers);
  expect([path, status]).toEqual([path, 200]);
  return body as unknown as T;
};
const statementOf = (month: string) => get<Statement>(`/sell/statements/${month}`, seller.apiKey);
const textOf = async (path: string, headers: Record<string, string>) => {
  const response = await world.market.request('GET', path, { headers });
  expect([path, response.status]).toEqual([path, 200]);
  return { text: await response.text(), type: response.headers.get('content-type') };
};
const asSeller = () => ({ authorization: `Bearer ${seller.apiKey}` });

beforeAll(async () => {
  seller = await world.seller();
  buyer = await world.newAgent();
  await world.fund(buyer, 50_000);
  // Above the band without a fee.
  await sell(2500);
  const refunded = await sell(1000);
  await world.request('POST', `/marketplace/purchases/${refunded}/dispute`, buyer.apiKey, {
    reason: 'Wrong tides.',
  });
  await world.request(
    'POST',
    `/admin/disputes/${refunded}/decision`,
    null,
    { decision: 'refund' },
    AS_OPERATOR,
  );
  await world.pass(4 * DAY_MS);
  world.market.clock.set(Date.parse('2026-07-01T00:59:59.999Z'));
  await endPeriods(world.market.newPorts());
  await sell(3000);
});

describe("a seller's statement", () => {
  it('has every sale, refund and payout of the month, as the ledger has them', async () => {
    const june = await statementOf('2026-06');
    expect(june.lines.map(({ kind, grossCents }) => [kind, grossCents])).toEqual([
      ['sale', 2500],
      ['sale', 1000],
      ['refund', -1000],
      ['payout', (june.lines[0]?.amountCents as number) * -1],
    ]);
    for (const line of june.lines) {
      expect(Number(line.grossCents) - Number(line.feeCents)).toBe(line.amountCents);
      expect(sold).toContain(line.purchaseId);
    }
    const fee = june.lines[0]?.feeCents as number;
    expect(fee).toBeGreaterThan(0);
    expect(june.totals).toEqual({
      adjustmentCents: 0,
      feeCents: fee,
      grossSalesCents: 3500,
      payoutCents: 2500 - fee,
      payoutGasCents: 0,
      refundCents: 1000,
      refunds: 1,
      sales: 2,
    });
    expect([june.openingBalanceCents, june.closingBalanceCents, june.total]).toEqual([0, 0, 4]);
  });

  it('carries the balance into the next month, and ends with what lies in escrow', async () => {
    const july = await statementOf('2026-07');
    expect(july.lines.map(({ kind, grossCents }) => [kind, grossCents])).toEqual([['sale', 3000]]);
    expect(july.closingBalanceCents).toBe(await world.account(`escrow:${seller.id}`));
    expect([july.openingBalanceCents, july.isFinal, july.feeInvoice]).toEqual([0, false, null]);
    for (const month of ['2026-05', '2026-08', '2026-13', 'x']) {
      expect((await world.request('GET', `/sell/statements/${month}`, seller.apiKey)).body.code).toBe(
        'statement_not_found',
      );
    }
  });

  it('is of nobody else, and pages', async () => {
    const other = await world.seller();
    expect((await world.request('GET', '/sell/statements/2026-06', other.apiKey)).status).toBe(404);
    const kinds: unknown[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: Statement = await get(`/sell/statements/2026-06?limit=3&after=${after}`, seller.apiKey);
      kinds.push(page.lines.map(({ kind }) => kind));
      after = page.nextAfter;
    }
    expect(kinds).toEqual([['sale', 'sale', 'refund'], ['payout']]);
    expect((await world.request('GET', '/sell/statements/2026-06', null)).status).toBe(401);
  });

  it('comes as CSV that no spreadsheet runs, and as a page that no title gets into', async () => {
    const csv = await textOf('/sell/statements/2026-06/file', asSeller());
    expect(csv.type).toContain('text/csv');
    const [head, first, ...rest] = csv.text.trimEnd().split('\r\n');
    expect(head).toBe(
      'number,at,kind,purchase_id,listing_title,gross_cents,fee_cents,amount_cents,balance_cents,currency',
    );
    expect(first).toContain(`"'=1+1, ""Tide"" <b>tables</b>",2500,`);
    expect(rest).toHaveLength(3);
    const html = await textOf('/sell/statements/2026-06/file?format=html', asSeller());
    expect(html.type).toContain('text/html');
    expect(html.text).toContain('&lt;b&gt;tables&lt;/b&gt;');
    expect(html.text).not.toContain('<b>');
    expect((await textOf('/sell/statements/2026-06/file?after=999999999', asSeller())).text).toBe(
      `${head}\r\n`,
    );
  });

  it('is final an hour after its month, with the invoice of the fees, and stays as it is', async () => {
    const before = await statementOf('2026-06');
    expect(before.isFinal).toBe(false);
    world.market.clock.set(Date.parse('2026-07-01T01:00:00.000Z'));
    await endPeriods(world.market.newPorts());
    const after = await statementOf('2026-06');
    expect(after).toMatchObject({ isFinal: true, lines: before.lines, totals: before.totals });
    expect(after.feeInvoice).toEqual({
      feeCents: after.totals.feeCents,
      number: `F-2026-06-${after.sellerLabel}`,
    });
    expect((await statementOf('2026-07')).lines).toHaveLength(1);
    expect(await get('/sell/statements', seller.apiKey)).toMatchObject({
      statements: [
        { isFinal: false, month: '2026-07' },
        { isFinal: true, month: '2026-06' },
      ],
    });
  });

  it('adds up to the year, for the seller and for the operator', async () => {
    const [june, july] = [await statementOf('2026-06'), await statementOf('2026-07')];
    const year = await get<{ totals: Record<string, number> }>(
      '/sell/annual-totals?year=2026',
      seller.apiKey,
    );
    for (const [figure, cents] of Object.entries(year.totals)) {
      expect([figure, cents]).toEqual([figure, (june.totals[figure] ?? 0) + (july.totals[figure] ?? 0)]);
    }
    const all = await get<{ sellers: object[] }>('/admin/annual-totals?year=2026', null, AS_OPERATOR);
    const known = { country: 'US', sellerId: seller.id, sellerLabel: june.sellerLabel, totals: year.totals };
    expect(all.sellers).toEqual([{ ...known, taxCountry: null, taxNumber: null }]);
    const give = (tax: object | null) => world.request('POST', '/sell/tax-details', seller.apiKey, { tax });
    for (const taxNumber of ['12', '<script>', 'DE 123 456 789 '])
      expect((await give({ country: 'DE', taxNumber })).status, taxNumber).toBe(400);
    const kept = await give({ country: 'de', taxNumber: 'DE 123 456 789' });
    expect(kept).toMatchObject({ status: 200, body: { country: 'DE', hasTaxNumber: true } });
    const reported = await get<{ sellers: object[] }>('/admin/annual-totals?year=2026', null, AS_OPERATOR);
    expect(reported.sellers).toEqual([{ ...known, taxCountry: 'DE', taxNumber: 'DE 123 456 789' }]);
    // Its own, for its accountant; nobody else's answer has it.
    const tax = { country: 'US', taxCountry: 'DE', taxNumber: 'DE 123 456 789' };
    expect(await get('/sell/annual-totals?year=2026', seller.apiKey)).toMatchObject({ tax });
    expect(await statementOf('2026-06')).toMatchObject({ tax });
    const html = await textOf('/sell/statements/2026-06/file?format=html', asSeller());
    expect(html.text).toContain('Country: US. Tax number: DE DE 123 456 789.');
    const file = await textOf('/admin/annual-totals/file?year=2026', AS_OPERATOR);
    const [head, row, ...others] = file.text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(others).toEqual([]);
    const cells = Object.fromEntries((head ?? []).map((name, at) => [name, row?.[at]]));
    const t = year.totals as Record<string, number>;
    expect(cells).toEqual({
      year: '2026',
      seller_id: seller.id,
      seller_label: june.sellerLabel,
      country: 'US',
      tax_country: 'DE',
      tax_number: 'DE 123 456 789',
      sales: String(t.sales),
      gross_sales_cents: String(t.grossSalesCents),
      refunds: String(t.refunds),
      refund_cents: String(t.refundCents),
      fee_cents: String(t.feeCents),
      adjustment_cents: String(t.adjustmentCents),
      payout_cents: String(t.payoutCents),
      payout_gas_cents: '0',
      currency: 'USD',
    });
    // By the ledger itself, without what statements are made of.
    const [ledger] = await world.rows<Record<string, number>>(
      `SELECT SUM(CASE WHEN kind = 'capture' THEN entry.amount_cents + COALESCE(fee.amount_cents, 0) ELSE 0 END) AS gross,
          SUM(COALESCE(fee.amount_cents, 0)) AS fee,
          -SUM(CASE WHEN kind = 'payout' THEN entry.amount_cents ELSE 0 END) AS paid
        FROM ledger_entries AS entry JOIN ledger_postings AS posting ON posting.id = entry.posting_id
          LEFT JOIN ledger_entries AS fee ON fee.posting_id = posting.id AND fee.account = 'fees'
        WHERE entry.account = 'escrow:' || ?`,
      seller.id,
    );
    expect([t.grossSalesCents, t.feeCents, t.payoutCents]).toEqual([
      ledger?.gross,
      ledger?.fee,
      ledger?.paid,
    ]);
    expect((await world.request('GET', '/admin/annual-totals/file?year=2026', seller.apiKey)).status).toBe(
      403,
    );
    for (const path of [`/agents/${june.sellerLabel}`, '/sell/me'])
      expect(JSON.stringify((await world.request('GET', path, seller.apiKey)).body)).not.toContain('123 456');
    expect(await give(null)).toMatchObject({ status: 200, body: { country: null, hasTaxNumber: false } });
    expect(await world.rows('SELECT seller_id FROM seller_tax_details')).toEqual([]);
    expect(await get('/admin/annual-totals?year=2025', null, AS_OPERATOR)).toMatchObject({ sellers: [] });
  });
});

describe('a year', () => {
  const rowsOf = (text: string) => text.trimEnd().split('\r\n').slice(1);

  it("is all lines of a seller's months in one table, page by page", async () => {
    const months = await Promise.all(
      ['2026-06', '2026-07'].map((month) => textOf(`/sell/statements/${month}/file`, asSeller())),
    );
    const path = '/sell/annual-statement/file?year=2026';
    const { text, type } = await textOf(path, asSeller());
    expect([type, rowsOf(text)]).toEqual([
      expect.stringContaining('text/csv'),
      months.flatMap((one) => rowsOf(one.text)),
    ]);
    const [first, ...others] = rowsOf(text);
    const after = Number(first?.split(',')[0]?.replace(/\D/g, ''));
    expect(rowsOf((await textOf(`${path}&after=${after}`, asSeller())).text)).toEqual(others);
    expect(rowsOf((await textOf('/sell/annual-statement/file?year=2025', asSeller())).text)).toEqual([]);
  });

  it('is what a buyer was charged and got back, to the cent, and safe in a spreadsheet', async () => {
    const asBuyer = { authorization: `Bearer ${buyer.apiKey}` };
    const { text } = await textOf('/purchases/file?year=2026', asBuyer);
    const [head] = text.split('\r\n');
    expect(head).toBe(
      'purchase_id,ordered_at,paid_at,listing_id,listing_title,seller_label,rail,status,paid_cents,refunded_at,refunded_cents,currency,gas_cents',
    );
    const rows = rowsOf(text);
    expect(rows.map((row) => row.split(',')[0])).toEqual(sold);
    for (const row of rows) expect(row).toContain(`,"'=1+1, ""Tide"" <b>tables</b>",`);
    const end = (row = '') => row.replace(/^.*,wallet,/, '').replace(/2026-[^,]*Z/, 'then');
    expect(rows.map(end)).toEqual([
      'released,2500,,0,USD,0',
      'refunded,1000,then,1000,USD,0',
      'held,3000,,0,USD,0',
    ]);
    const next = await textOf(`/purchases/file?year=2026&after=${sold[0]}`, asBuyer);
    expect(rowsOf(next.text)).toEqual(rows.slice(1));
    for (const [path, headers] of [
      ['/purchases/file?year=2025', asBuyer],
      ['/purchases/file?year=2026', asSeller()],
      [`/purchases/file?year=2026&after=${sold[0]}`, asSeller()],
    ] as const)
      expect(rowsOf((await textOf(path, headers)).text)).toEqual([]);
  });
});

describe("a buyer's documents", () => {
  it('are a receipt, and a credit note for what was refunded, numbered as in the statement', async () => {
    const { lines } = await statementOf('2026-06');
    const [, sale, refund] = lines;
    const path = `/marketplace/purchases/${sale?.purchaseId}/documents`;
    expect(await get(path, buyer.apiKey)).toMatchObject({
      documents: [
        { amountCents: 1000, issuedAt: sale?.at, kind: 'receipt', number: sale?.number },
        { amountCents: 1000, issuedAt: refund?.at, kind: 'credit_note', number: refund?.number },
      ],
    });
    expect((await world.request('GET', path, seller.apiKey)).status).toBe(403);
  });

  it('go on with what follows a refund that failed', async () => {
    const purchaseId = sold[1] ?? '';
    const [row] = await world.rows<{ platformFeeCents: number }>(
      'SELECT platform_fee_cents AS platformFeeCents FROM purchases WHERE id = ?',
      purchaseId,
    );
    const sale = {
      purchaseId,
      sellerId: seller.id,
      payerAccount: walletAccount(buyer.id),
      amountCents: 1000,
      platformFeeCents: row?.platformFeeCents ?? 0,
    };
    const at = new Date(world.market.clock.now()).toISOString();
    const posted = [restore(sale, 'payer'), refund({ ...sale, restorations: 1 })];
    await world.market
      .newPorts()
      .market.commit(posted.map((posting) => post(posting, world.market.ids.uuid(), at)));
    const { documents } = await get<{ documents: { kind: string; amountCents: number }[] }>(
      `/marketplace/purchases/${purchaseId}/documents`,
      buyer.apiKey,
    );
    expect(documents.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
      ['receipt', 1000],
      ['credit_note', 1000],
      ['receipt', 1000],
      ['credit_note', 1000],
    ]);
  });
});

describe('the months of the ledger', () => {
  const close = (month: string, body: object = {}) =>
    world.request('POST', `/admin/periods/${month}/close`, null, body, AS_OPERATOR);

  it('are exported whole, as CSV and for beancount, each posting balanced', async () => {
    const csv = await textOf('/admin/periods/2026-06/postings', AS_OPERATOR);
    const rows = csv.text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
    const entries = await world.rows<{ n: number }>('SELECT COUNT(*) AS n FROM ledger_entries');
    const july = (await textOf('/admin/periods/2026-07/postings', AS_OPERATOR)).text.trimEnd().split('\r\n');
    expect(rows.length + july.length - 1).toBe(entries[0]?.n);
    for (const legs of Map.groupBy(rows, (row) => row[2]).values()) {
      expect(legs.reduce((sum, row) => sum + Number(row[6]), 0)).toBe(0);
    }
    const last = rows.at(-1)?.[0];
    expect(
      (await textOf(`/admin/periods/2026-06/postings?after=${last}`, AS_OPERATOR)).text
        .trimEnd()
        .split('\r\n'),
    ).toHaveLength(1);
    const { text } = await textOf('/admin/periods/2026-06/postings?format=beancount', AS_OPERATOR);
    expect(text).toContain(
      `  Liabilities:Sellers:${seller.id.charAt(0).toUpperCase()}${seller.id.slice(1)}  `,
    );
    expect(text.match(/^2026-06-\d\d \* /gm)).toHaveLength(new Set(rows.map((row) => row[2])).size);
  });

  it('are closed by the operator once, with the balances at their end', async () => {
    expect((await close('2026-07')).body.code).toBe('period_not_found');
    // What the processor moved, its fees, was not read yet.
    expect((await close('2026-06')).body.code).toBe('period_not_reconciled');
    await bookProcessorEntries(world.market.newPorts());
    await compareLedgerEntries(world.market.newPorts());
    const { status, body } = await close('2026-06');
    expect(status).toBe(200);
    expect(body).toMatchObject({ month: '2026-06', balances: { escrow: 0, wallet: 47_500 } });
    const { balances } = body as unknown as { balances: Record<string, number> };
    expect(Object.values(balances).reduce((sum, cents) => sum + cents, 0)).toBe(0);
    expect((await close('2026-06')).body.code).toBe('period_already_closed');
    expect(await get('/admin/periods', null, AS_OPERATOR)).toMatchObject({
      nextBefore: null,
      periods: [{ month: '2026-06', closedAt: expect.any(String) }],
    });
  });

  it('are not closed over a finding without a word about it', async () => {
    world.market.clock.set(Date.parse('2026-08-01T00:00:00.000Z') + HOUR_MS);
    await endPeriods(world.market.newPorts());
    await world.market
      .newPorts()
      .market.commit([
        { sql: `UPDATE purchases SET amount_cents = amount_cents + 1 WHERE id = ?`, params: [sold[0] ?? ''] },
      ]);
    expect((await close('2026-07')).body.code).toBe('period_not_reconciled');
    expect((await close('2026-07', { note: 'A test changed a row by hand.' })).status).toBe(200);
  });
});
