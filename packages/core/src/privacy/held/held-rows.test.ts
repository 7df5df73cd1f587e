import { beforeAll, describe, expect, it } from 'vitest';
import { newAgentOf, type RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { HELD_DATA } from './held-data.ts';
import { eraseHeldRows } from './held-rows.store.ts';
import { columnsOf, type HeldTable, KINDS, type Owner } from './held-table.ts';

// Rows of one agent in every table, in every role, derived from the map: a mark in every column that can hold something
// of a person. The schema's checks and triggers are off, so that no table is left out; erasure.test.ts has them on.

const MARK = 'zqmark';
const market = createTestMarketplace();
const { DB, SEARCH } = testBindings;
let agent: RegisteredAgent;

const keyOf = (table: string, owner: string, column: string) => `k-${table}-${owner}-${column}`;

/** What stands in the column that says whose the row is. */
function ownersValue({ column, prefixes, through }: Owner): string {
  if (!through) return `${prefixes?.[0] ?? ''}${agent.id}`;
  const { table, key, owner } = through;
  if (table === 'agents') return `${MARK}-hash`;
  const found = HELD_DATA.find(({ name }) => name === table)?.owners.find(
    (one) => one.column === owner.column && one.through?.owner.column === owner.through?.owner.column,
  );
  if (!found) throw new Error(`${column} leads to rows of ${table} that have no such owner.`);
  return keyOf(table, `${found.column}-${found.role}`, key);
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly hidden: number;
}

const columnsIn = async (database: D1Database, table: string): Promise<Column[]> =>
  (await database.prepare('SELECT name, type, hidden FROM pragma_table_xinfo(?)').bind(table).all())
    .results as unknown as Column[];

async function insertRow(table: HeldTable, owner: Owner): Promise<void> {
  const columns = (await columnsIn(DB, table.name)).filter(({ hidden }) => hidden === 0);
  const kinds = columnsOf(table);
  const values = columns.map(({ name, type }) => {
    if (name === owner.column) return ownersValue(owner);
    if (type !== 'TEXT' && type !== 'BLOB') return 1;
    const kind = kinds.get(name) ?? 'fact';
    const isOwn = !owner.hides?.includes(name) && (owner.erasure !== 'keep' || !KINDS[kind].isCleared);
    const isMarked = isOwn && kind !== 'fact' && kind !== 'pseudonym';
    const mark = `${MARK}-${table.name}-${owner.role}-${name}`;
    // An erasure reads it: it is one as it is written today.
    const isEntry = table.name === 'listing_history';
    return isMarked
      ? isEntry
        ? JSON.stringify({ reason: mark, reasonDigest: null })
        : mark
      : keyOf(table.name, `${owner.column}-${owner.role}`, name);
  });
  await DB.prepare(
    `INSERT INTO ${table.name} (${columns.map(({ name }) => name)}) VALUES (${columns.map(() => '?')})`,
  )
    .bind(...values)
    .run();
}

async function tablesOf(database: D1Database): Promise<string[]> {
  const { results } = await database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return (results as { name: string }[]).map(({ name }) => name);
}

/** `table.column` of wherever the mark still is, in any table of both databases. */
async function marked(): Promise<string[]> {
  const found: string[] = [];
  for (const database of [DB, SEARCH]) {
    for (const table of await tablesOf(database)) {
      for (const { name } of await columnsIn(database, table)) {
        const sql = `SELECT count(*) AS n FROM ${table} WHERE instr(CAST("${name}" AS TEXT), ?) > 0`;
        const row = await database.prepare(sql).bind(MARK).first<{ n: number }>();
        if (row && row.n > 0) found.push(`${table}.${name}`);
      }
    }
  }
  return found.sort();
}

const OWNED = HELD_DATA.flatMap((table) => table.owners.map((owner) => ({ table, owner })));

beforeAll(async () => {
  agent = await newAgentOf(market, { name: `${MARK} name`, email: `${MARK}@example.com` });
  await DB.exec('PRAGMA foreign_keys = OFF');
  await DB.exec('PRAGMA ignore_check_constraints = ON');
  // Indexes of expressions read JSON that a mark is not.
  for (const type of ['trigger', 'index']) {
    const { results } = await DB.prepare(
      `SELECT name FROM sqlite_master WHERE type = '${type}' AND sql IS NOT NULL`,
    ).all();
    for (const { name } of results as { name: string }[]) await DB.exec(`DROP ${type} ${name}`);
  }
  const texts = (await columnsIn(DB, 'agents')).filter(({ type }) => type === 'TEXT').map(({ name }) => name);
  const [accounts] = HELD_DATA;
  if (accounts === undefined) throw new Error('The map is empty.');
  const kinds = columnsOf(accounts);
  const personal = texts.filter((name) => KINDS[kinds.get(name) ?? 'fact'].isCleared);
  await DB.prepare(
    `UPDATE agents SET ${personal.map((name) => `${name} = '${MARK}-${name}'`)}, api_key_hash = ? WHERE id = ?`,
  )
    .bind(`${MARK}-hash`, agent.id)
    .run();
  // The key that the test asks with is a row of its own kind.
  for (const { table, owner } of OWNED) if (table.name !== 'agents') await insertRow(table, owner);
});

describe('an export', () => {
  it('has every column that is held of the agent, in every role, and nothing that is not its own', async () => {
    const records: { role: string; table: string; values: Record<string, unknown> }[] = [];
    let cursor: string | null = null;
    do {
      const path: string = `/agents/me/export?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`;
      const response = await market.request('GET', path, { apiKey: agent.apiKey });
      expect(response.status).toBe(200);
      const page = (await response.json()) as { records: typeof records; nextCursor: string | null };
      expect(page.records.length).toBeLessThanOrEqual(7);
      records.push(...page.records);
      cursor = page.nextCursor;
    } while (cursor !== null);
    for (const { table, owner } of OWNED) {
      const columns = [...columnsOf(table)]
        .filter(([name, kind]) => KINDS[kind].isExported && !owner.hides?.includes(name))
        .map(([name]) => name);
      const own = records.filter((record) => record.table === table.name && record.role === owner.role);
      expect(own.length, `${table.name} as ${owner.role}`).toBeGreaterThan(0);
      for (const { values } of own) expect(Object.keys(values).sort()).toEqual([...columns].sort());
    }
    const text = JSON.stringify(records);
    for (const { table, owner } of OWNED) {
      for (const [name, kind] of columnsOf(table)) {
        if (kind === 'secret') expect(text).not.toContain(`${MARK}-${table.name}-${owner.role}-${name}`);
      }
    }
  });
});

/** What stays, one by one. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'what was published and signed': [
    'listings.authorized_uses',
    'listings.collection_method',
    'listings.context_tags',
    'listings.data_date',
    'listings.data_format',
    'listings.data_origin',
    'listings.deidentification_level',
    'listings.demographics',
    'listings.description',
    'listings.example_query',
    'listings.fingerprint',
    'listings.history_digest',
    'listings.images',
    'listings.input_schema',
    'listings.output_schema',
    'listings.preview',
    'listings.seller_state',
    'listings.source_attribution',
    'listings.subcategory',
    'listings.text_digest',
    'listings.title',
    'health_declarations.words',
    'ratings.attestation',
    'ratings.numbering',
  ],
  'consents, for 6 years': [
    'health_consents.record',
    'health_consents.signer_legal_name',
    'purchases.health_attestation',
  ],
  'records of money': [],
};

it('an erasure leaves nothing of the agent but the exceptions, and a second one changes nothing', async () => {
  const before = await marked();
  for (const { table, owner } of OWNED.filter(({ owner }) => owner.erasure !== 'keep')) {
    const personal = [...columnsOf(table)].filter(([, kind]) => KINDS[kind].isCleared).map(([name]) => name);
    if (personal.every((name) => name === owner.column)) continue;
    expect(
      before.some((place) => place.startsWith(`${table.name}.`)),
      table.name,
    ).toBe(true);
  }
  const { market: db } = market.newPorts();
  await db.commit(eraseHeldRows(agent.id, 'd'.repeat(64)));
  const money = HELD_DATA.flatMap((table) =>
    [...columnsOf(table)].filter(([, kind]) => kind === 'money').map(([name]) => `${table.name}.${name}`),
  );
  const left = (await marked()).filter((place) => !money.includes(place));
  expect(left).toEqual(Object.values(EXCEPTIONS).flat().sort());
  const after = await marked();
  await db.commit(eraseHeldRows(agent.id, 'd'.repeat(64)));
  expect(await marked()).toEqual(after);
});
