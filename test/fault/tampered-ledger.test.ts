import { weighBuyers } from '@agent-marketplace/core/agents/index.ts';
import { signSettlements } from '@agent-marketplace/core/demand/index.ts';
import { isoTime } from '@agent-marketplace/core/kernel/time.ts';
import { refundSale } from '@agent-marketplace/core/sales/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLedgerVerifier } from './verify-ledger.ts';

// An operator who has every key and the database, and changes what was settled: the marketplace signs whatever stands
// there, and whoever recomputes the ledger from the log finds each change.

const sales = createSalesMarketplace();
const { market } = sales;
market.sellerEndpoint.script = sellerOf({ tide: 1 });
const ADMIN = { 'x-mkt-admin': TEST_ADMIN_SECRET };
const HOUR_MS = 3_600_000;
const verifier = await createLedgerVerifier(market);
const { DB } = testBindings;

let ids: string[];
let refunded: string;

/** The tables that an operator would change, to be put back after. */
const TABLES = ['demand_rows', 'demand_cells', 'settlements', 'designation_state', 'log_state'] as const;
let saved: ReadonlyMap<string, readonly Record<string, string | number | null>[]>;

/** Whatever triggers would say of it: the operator can drop them. */
async function tamper(...statements: readonly string[]): Promise<void> {
  const triggers = await sales.rows<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('demand_rows', 'settlements')",
  );
  for (const { name } of triggers) await DB.prepare(`DROP TRIGGER ${name}`).run();
  for (const sql of statements) await DB.prepare(sql).run();
  for (const { sql } of triggers) await DB.prepare(sql).run();
  market.clock.advance(6000);
}

const faultsOf = async (...args: Parameters<typeof verifier.verify>) => {
  const { findings } = await verifier.verify(...args);
  return findings.map(({ fault, subject }) => [fault, subject]);
};
const digestsOf = async (id: string) => {
  const [row] = await sales.rows<{ settlement: string; change: string | null }>(
    `SELECT settlement ->> '$.digest' AS settlement, change ->> '$.digest' AS change FROM settlements
      WHERE purchase_id = '${id}'`,
  );
  if (!row) throw new Error(`There is no settlement of ${id}.`);
  return row;
};

beforeAll(async () => {
  const listing = await sales.listing();
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 40_000);
  const bought = [];
  for (let n = 0; n < 4; n += 1) bought.push((await sales.buy(listing.id, buyer)).body.id);
  refunded = bought.pop() ?? '';
  ids = bought;
  await verifier.log();
  expect(await refundSale(market.newPorts(), refunded, 'test')).toBe('refunded');
  await sales.pass(80 * HOUR_MS, 4);
  await weighBuyers(market.newPorts());
  await sales.request('PATCH', '/admin/designations', null, { configured: true, reason: 'All.' }, ADMIN);
  const merchant = { id: 'kin', name: 'Kin', siteOrigin: 'https://kin.example.com' };
  const sold = {
    amountCents: 700,
    rail: 'card',
    mode: 'live',
    status: 'paid',
    description: 'A subscription.',
  };
  const body = { merchant, ...sold, paidAt: '2026-01-02T03:04:05.000Z' };
  expect((await sales.request('POST', '/admin/affiliated-receipts', null, body, ADMIN)).status).toBe(201);
  await verifier.log();
  const all = await Promise.all(
    TABLES.map(
      async (name) =>
        [name, await sales.rows<Record<string, string | number | null>>(`SELECT * FROM ${name}`)] as const,
    ),
  );
  saved = new Map(all);
}, 60_000);

beforeEach(async () => {
  const statements = TABLES.flatMap((name) => [
    `DELETE FROM ${name}`,
    ...(saved.get(name) ?? []).map((row) => {
      const values = Object.values(row).map((value) =>
        typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
      );
      return `INSERT INTO ${name} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`;
    }),
  ]);
  await tamper(...statements);
});

it('holds as it is: each row, and the one that was refunded, is accounted for by what the log has', async () => {
  const verified = await verifier.verify();
  expect(verified.findings).toEqual([]);
  expect(verified.waiting).toEqual([]);
  expect(verified.logged).toEqual(verified.shown);
  expect(verified.logged.totals).toMatchObject({ settledRows: 3, distinctBuyers: 1, distinctSellers: 1 });
  expect(verified.treeSize).toBe(verified.checkpoint.size);
  const page = JSON.parse((await verifier.pages()).rows[0] ?? '');
  expect(page.removedRows.rows).toMatchObject([
    {
      settlement: { statement: { id: refunded } },
      change: { statement: { status: 'refunded', supersedes: [] } },
    },
  ]);
  // Pseudonyms, and no public name.
  const { statement } = page.ledger[0].settlement;
  expect([statement.seller, statement.buyer, statement.salt].join(' ')).toMatch(
    /^seller-[0-9a-f]{32} buyer-[0-9a-f]{32} [0-9a-f]{32}$/,
  );
});

describe('an operator who', () => {
  const row = (id: string) => `FROM demand_rows WHERE purchase_id = '${id}'`;

  it('drops a row is found out by what the log has of it', async () => {
    const [id = ''] = ids;
    const { settlement, change } = await digestsOf(id);
    await tamper(`DELETE ${row(id)}`, `DELETE FROM settlements WHERE purchase_id = '${id}'`);
    const faults = await faultsOf();
    expect(faults).toContainEqual(['missing', settlement]);
    expect(faults).toContainEqual(['missing', change]);
    expect(faults).toContainEqual(['total', 'totals.settledRows']);
  });

  it('drops it with its share of the totals all the same', async () => {
    const [id = ''] = ids;
    const { settlement } = await digestsOf(id);
    await tamper(
      `UPDATE demand_cells SET sales = sales - 1, gross_cents = gross_cents - gross_cents / sales,
        fee_cents = fee_cents - fee_cents / sales WHERE sales = 3`,
      `DELETE ${row(id)}`,
      `DELETE FROM settlements WHERE purchase_id = '${id}'`,
    );
    const faults = await faultsOf();
    expect(faults).toEqual(expect.arrayContaining([['missing', settlement]]));
    // The double entries have it still, and the page says so itself.
    expect(faults).toContainEqual(['total', 'reconciliation']);
  });

  it('forgets a refund, or that there ever was the sale', async () => {
    const { settlement, change } = await digestsOf(refunded);
    await tamper(`DELETE FROM settlements WHERE purchase_id = '${refunded}'`);
    const faults = await faultsOf();
    expect(faults.sort()).toEqual(
      [
        ['missing', settlement],
        ['missing', change],
      ].sort(),
    );
  });

  it.each([
    ['an amount', 'amount_cents = amount_cents + 1000'],
    ['a fee', 'platform_fee_cents = amount_cents'],
    ['a rail', "rail = 'x402'"],
    ['a vertical', "vertical_slug = 'general'"],
    ['whether it is a sample', 'is_reference = 1 - is_reference'],
  ])('changes %s in a row', async (_, assignment) => {
    const [id = ''] = ids;
    await tamper(`UPDATE demand_rows SET ${assignment} WHERE purchase_id = '${id}'`);
    expect(await faultsOf()).toContainEqual(['altered', id]);
  });

  it('shows another party or status for longer than a minute', async () => {
    const [id = '', other = ''] = ids;
    await tamper(
      `UPDATE demand_rows SET class = 'arms_length' WHERE purchase_id = '${id}'`,
      `UPDATE demand_rows SET status = 'held' WHERE purchase_id = '${other}'`,
    );
    const first = await verifier.verify();
    expect(first.waiting).toEqual(expect.arrayContaining([id, other]));
    // The totals of what stands in the log stay as they were.
    expect(first.logged.armsLengthCents).toBe(0);
    expect(first.shown.armsLengthCents).toBeGreaterThan(0);
    expect(await faultsOf({ waitedBefore: first.waiting })).toContainEqual(['unsigned', other]);
    market.clock.advance(5 * 24 * HOUR_MS);
    expect(await faultsOf()).toContainEqual(['unsigned', id]);
  });

  it('shows a row that nobody signed, or a settlement that is in no log', async () => {
    const [id = ''] = ids;
    await tamper(`UPDATE settlements SET settlement = NULL, change = NULL WHERE purchase_id = '${id}'`);
    const { waiting } = await verifier.verify();
    expect(waiting).toContain(id);
    expect(await faultsOf({ waitedBefore: waiting })).toContainEqual(['unsigned', id]);
    await tamper(`UPDATE settlements SET signed_revision = 0 WHERE purchase_id = '${id}'`);
    await signSettlements(market.newPorts());
    market.clock.advance(25 * HOUR_MS);
    expect(await faultsOf()).toContainEqual(['unlogged', id]);
    await DB.prepare('DELETE FROM log_outbox').run();
  });

  it('counts one sale twice, under another id', async () => {
    const [id = ''] = ids;
    await tamper(
      `INSERT INTO demand_rows SELECT created_at, 'ffffffff-0000-4000-8000-000000000000', seller_id, buyer_id,
        vertical_slug, rail, status, class, is_reference, amount_cents, platform_fee_cents ${row(id)}`,
      `INSERT INTO settlements (purchase_id, settlement, change, signed_revision)
        SELECT 'ffffffff-0000-4000-8000-000000000000', settlement, change, 1 FROM settlements WHERE purchase_id = '${id}'`,
    );
    const faults = await faultsOf();
    expect(faults.some(([fault]) => fault === 'repeated')).toBe(true);
    expect(faults).toContainEqual(['altered', 'ffffffff-0000-4000-8000-000000000000']);
  });

  it('says that all are designated, and signed nothing of it', async () => {
    await tamper("UPDATE designation_state SET statement = NULL, configured_at = '2026-06-01T12:00:00.000Z'");
    const { waiting, findings } = await verifier.verify();
    expect(waiting).toContain('armsLengthClassification');
    expect(findings.map(({ fault }) => fault)).toContain('missing');
  });

  it('shows pages of before, or names a tree that is too small', async () => {
    const old = await verifier.pages();
    market.clock.advance(3 * HOUR_MS);
    const notOlderThan = isoTime(market.clock.now() - HOUR_MS);
    expect(await faultsOf({ notOlderThan })).toEqual([]);
    expect((await faultsOf({ ...old, notOlderThan })).map(([fault]) => fault)).toEqual(['stale']);
    const { settlement } = await digestsOf(ids[0] ?? '');
    await tamper(
      'UPDATE log_state SET size = 0',
      `DELETE ${row(ids[0] ?? '')}`,
      `DELETE FROM settlements WHERE purchase_id = '${ids[0]}'`,
    );
    market.clock.advance(24 * HOUR_MS);
    expect(await faultsOf()).toContainEqual(['missing', settlement]);
  });

  it('edits a page as it is sent', async () => {
    const pages = await verifier.pages();
    const edited = pages.rows.map((text) => text.replace('"settledRows":3', '"settledRows":4'));
    await expect(verifier.verify({ ...pages, rows: edited })).rejects.toThrow('digest_mismatch');
  });

  it('keeps leaves of the log back', async () => {
    const entries = await verifier.entries();
    await expect(verifier.verify({ entries: entries.slice(1) })).rejects.toThrow('incomplete');
  });
});

it('signs what many runs see at once a single time, and once more only after the day is over', async () => {
  const [id = ''] = ids;
  const flip = async (party: string) => {
    await DB.prepare(`UPDATE demand_rows SET class = '${party}' WHERE purchase_id = '${id}'`).run();
    await Promise.all([signSettlements(market.newPorts()), signSettlements(market.newPorts())]);
    return (await digestsOf(id)).change;
  };
  const before = (await digestsOf(id)).change;
  const changed = await flip('affiliated');
  expect(changed).not.toBe(before);
  expect(await flip('internal')).toBe(changed);
  expect(await flip('affiliated')).toBe(changed);
  expect(await flip('internal')).toBe(changed);
  market.clock.advance(24 * HOUR_MS);
  const again = await flip('self_sale');
  expect(again).not.toBe(changed);
  market.clock.advance(24 * HOUR_MS);
  expect(await flip('internal')).toBe(again);
  await verifier.log();
  expect(await faultsOf()).toEqual([]);
});

it('an operator who drops a row and puts it back has signed that it did', async () => {
  const [id = ''] = ids;
  const before = await verifier.verify();
  expect([before.restored, before.removed]).toEqual([[], { refunded: 1, ended: 0 }]);
  const kept = await sales.rows<Record<string, string | number | null>>(
    `SELECT * FROM demand_rows WHERE purchase_id = '${id}'`,
  );
  // With the triggers at work, as by an operator's console of the database.
  await DB.prepare(`DELETE FROM demand_rows WHERE purchase_id = '${id}'`).run();
  await verifier.log();
  const without = await verifier.verify();
  // While it is away, the rows come to less than the double-entry ledger.
  const disagrees = expect.objectContaining({ fault: 'total', subject: 'reconciliation' });
  expect(without.findings).toEqual([...before.findings, disagrees]);
  expect(without.removed).toEqual({ refunded: 2, ended: 0 });
  const values = Object.values(kept[0] ?? {}).map((value) =>
    typeof value === 'string' ? `'${value}'` : String(value),
  );
  const putBack = `INSERT INTO demand_rows (${Object.keys(kept[0] ?? {}).join(', ')}) VALUES (${values.join(', ')})`;
  await DB.prepare(putBack).run();
  await verifier.log();
  const { findings, restored, removed } = await verifier.verify();
  expect([findings, removed]).toEqual([before.findings, { refunded: 1, ended: 0 }]);
  expect(restored).toMatchObject([{ id, removals: 1 }]);
  expect(restored[0]?.entries).toHaveLength(4);
  // A later change does not make it forgotten, and a second time counts as well.
  await DB.prepare(`DELETE FROM demand_rows WHERE purchase_id = '${id}'`).run();
  await verifier.log();
  await DB.prepare(putBack).run();
  await verifier.log();
  expect((await verifier.verify()).restored).toMatchObject([{ id, removals: 2 }]);
});

// Last: what the log has once, it has for good.
it('an operator who signs the changed row anew', async () => {
  const [id = ''] = ids;
  const { settlement } = await digestsOf(id);
  await tamper(
    `UPDATE demand_rows SET amount_cents = amount_cents + 1000 WHERE purchase_id = '${id}'`,
    `UPDATE settlements SET settlement = NULL, change = NULL, signed_revision = 0 WHERE purchase_id = '${id}'`,
  );
  await verifier.log();
  // The new one stands in the log as well: what was signed first is accounted for by nothing.
  const faults = await faultsOf();
  expect(faults).toContainEqual(['missing', settlement]);
  expect(faults.some(([fault, subject]) => fault === 'altered' && subject === id)).toBe(false);
});

it('a page that names a smaller tree than the log had before hides nothing', async () => {
  const checkpointBefore = (await verifier.evidence()).checkpoint;
  const [id = ''] = ids;
  const { settlement } = await digestsOf(id);
  const before = (await verifier.verify()).checkpoint.size;
  await tamper(
    `DELETE FROM demand_rows WHERE purchase_id = '${id}'`,
    `DELETE FROM settlements WHERE purchase_id = '${id}'`,
    'UPDATE log_state SET size = 0',
  );
  const faults = await faultsOf({ checkpointBefore });
  expect(faults).toContainEqual(['missing', settlement]);
  expect((await verifier.verify({ checkpointBefore })).treeSize).toBe(before);
});

it('totals are judged of pages of one state, and of no others', async () => {
  const untrue = 'UPDATE demand_cells SET gross_cents = gross_cents + 5000 WHERE sales = 3';
  await tamper(untrue);
  const { rows } = await verifier.pages();
  expect(await faultsOf()).toContainEqual(['total', 'totals.grossCents']);
  await tamper('UPDATE demand_cells SET changes = changes + 1 WHERE sales = 3');
  const unjudged = await verifier.verify({ rows });
  expect(unjudged.hasMoved).toBe(true);
  expect(unjudged.findings.filter(({ fault }) => fault === 'total')).toEqual([]);
  // A row is judged of whatever state its page is.
  const [id = ''] = ids;
  const { settlement } = await digestsOf(id);
  await tamper(
    `DELETE FROM demand_rows WHERE purchase_id = '${id}'`,
    `DELETE FROM settlements WHERE purchase_id = '${id}'`,
  );
  const dropped = await verifier.pages();
  await tamper('UPDATE demand_cells SET changes = changes + 1 WHERE sales = 3');
  const { hasMoved, findings } = await verifier.verify({ rows: dropped.rows });
  expect(hasMoved).toBe(true);
  expect(findings).toContainEqual(
    expect.objectContaining({ fault: 'missing', subject: settlement, proof: 'incomplete' }),
  );
});

it('a log that is smaller than the ledger names was put back', async () => {
  const { size } = (await verifier.verify()).checkpoint;
  await tamper(`UPDATE log_state SET size = ${size + 3}`);
  expect(await faultsOf()).toContainEqual(['shortened', String(size)]);
});
