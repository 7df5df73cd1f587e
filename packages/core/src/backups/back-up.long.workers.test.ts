import { expect, it } from 'vitest';
import { createR2BackupStore } from '../adapters/r2/backup-store.ts';
import { newListingOf } from '../testing/fixtures/new-listing.ts';
import { touchEveryRow } from '../testing/fixtures/touch-every-row.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { type BackupPart, backUp, manifestPath } from './back-up.ts';

const bucket = testBindings.ATTACHMENTS as R2Bucket;
const PACE = { page: { rows: 50, bytes: 20_000 }, partsAtOnce: 80, changesAtOnce: 50 };

it('copies D1 itself into R2, and leaves no trigger behind', { timeout: 60_000 }, async () => {
  const market = createTestMarketplace({ overrides: { backups: createR2BackupStore(bucket) } });
  const { id } = await newListingOf(market);
  const all = <Row>(sql: string) => market.newPorts().market.all<Row>({ sql, params: [] });
  const newest = async () =>
    (await all<{ id: string; state: string; row_count: number }>('SELECT * FROM backups'))[0];
  let isTouched = false;
  for (let runs = 0; (await newest())?.state !== 'ended'; runs += 1) {
    if (runs > 30) throw new Error('The backup does not come to an end.');
    await backUp(market.newPorts(), PACE);
    if (isTouched || (await newest())?.state !== 'rows') continue;
    isTouched = true;
    // Written down by a trigger: the row is read again.
    await all('UPDATE listings SET view_count = view_count + 1 RETURNING id');
    await touchEveryRow(market.newPorts().market);
  }
  const backup = await newest();
  expect(backup?.row_count).toBeGreaterThan(10);
  const manifest = await (await bucket.get(manifestPath(backup?.id ?? '')))?.json<{ parts: string[] }>();
  const parts = await Promise.all(
    (manifest?.parts ?? []).map(async (part) => (await bucket.get(`${backup?.id}/${part}.json`))?.text()),
  );
  expect(parts.some((part) => part?.includes('"name":"listings"') && part.includes(id))).toBe(true);
  const changed = parts
    .map((part) => JSON.parse(part ?? 'null') as BackupPart)
    .flatMap((part) => (part.kind === 'changes' ? part.tables : []));
  for (const { table, keys, rows } of changed) {
    const places = table.key.map((column) => table.columns.indexOf(column));
    const keysOfRows = rows.map((row) => JSON.stringify(places.map((place) => row[place])));
    expect(
      keysOfRows.filter((key) => !keys.includes(key)),
      table.name,
    ).toEqual([]);
  }
  const tablesWithRows = new Set(
    changed.filter(({ rows }) => rows.length > 0).map(({ table }) => table.name),
  );
  expect(tablesWithRows.size).toBeGreaterThan(10);
  expect([...tablesWithRows]).toEqual(expect.arrayContaining(['log_state', 'listings', 'totals']));
  expect(await all("SELECT name FROM sqlite_schema WHERE name GLOB 'backup_watch_*'")).toEqual([]);
});
