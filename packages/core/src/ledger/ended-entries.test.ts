import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Statement } from '../kernel/ports/database.ts';
import { emptyStorage, testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { endEntries } from './ended-entries.store.ts';
import { findEndedMonth, post } from './index.ts';
import { transferOf } from './ledger.rules.ts';
import { endOf, type Month } from './period.rules.ts';
import { readBalancesUpTo } from './periods.store.ts';
import { reconcile } from './reconcile.ts';

const MONTHS: readonly Month[] = ['2026-09', '2026-10', '2026-11', '2026-12', '2027-01'];
const FORGET = { sql: 'DELETE FROM ending_records', params: [] };

const movements = fc.array(
  fc.record({
    month: fc.nat(MONTHS.length - 1),
    into: fc.nat(3),
    from: fc.nat(3),
    cents: fc.integer({ min: -5000, max: 5000 }),
  }),
  { maxLength: 25 },
);

async function rows<Row>(sql: string): Promise<Row[]> {
  return (await testBindings.DB.prepare(sql).all()).results as Row[];
}

/** What each account held at the end of each month, as statements read it. */
const balancesAt = (months: readonly Month[]) =>
  rows(`SELECT month, account, (SELECT balance_cents FROM ledger_entries AS entry
      WHERE entry.account = ledger_accounts.account AND entry.id <= last_entry_id ORDER BY entry.id DESC LIMIT 1) AS held
    FROM ledger_periods, ledger_accounts WHERE balance_cents <> 0 AND month IN ('${months.join("','")}') ORDER BY 1, 2`);

it('keeps each balance to the cent, whatever ended and in what steps', async () => {
  await fc.assert(
    fc.asyncProperty(
      movements,
      fc.nat(MONTHS.length - 2),
      fc.nat(MONTHS.length - 1),
      fc.integer({ min: 1, max: 9 }),
      async (moved, ending, closed, step) => {
        emptyStorage?.();
        const market = createTestMarketplace();
        const db = market.newPorts().market;
        for (const [at, month] of MONTHS.entries()) {
          const postings = moved
            .filter((one) => one.month === at && one.into !== one.from && one.cents !== 0)
            .flatMap(({ into, from, cents }): Statement => {
              const legs = { into: `bank:${into}`, from: `bank:${from}`, amountCents: cents };
              return post(
                transferOf('processor_fee', market.ids.uuid(), legs),
                market.ids.uuid(),
                `${month}-15T00:00:00.000Z`,
              );
            });
          await db.commit(postings);
          const [last] = await rows<{ id: number }>('SELECT COALESCE(MAX(id), 0) AS id FROM ledger_entries');
          const upTo = last?.id ?? 0;
          const balances = JSON.stringify(await readBalancesUpTo(db, upTo));
          const isClosed = at <= closed;
          await db.commit([
            {
              sql: 'INSERT INTO ledger_periods (month, last_entry_id, ended_at, closed_at, balances, carried) VALUES (?, ?, ?, ?, ?, ?)',
              params: [
                month,
                upTo,
                endOf(month),
                isClosed ? endOf(month) : null,
                isClosed ? balances : null,
                balances,
              ],
            },
          ]);
        }
        const newest = transferOf('processor_fee', 'newest', {
          into: 'bank:0',
          from: 'bank:1',
          amountCents: 1,
        });
        await db.commit([post(newest, 'newest', endOf(MONTHS.at(-1) ?? ''))]);
        const kept = MONTHS.slice(Math.min(ending, closed));
        const before = [
          await rows(
            'SELECT account, balance_cents FROM ledger_accounts WHERE balance_cents <> 0 ORDER BY account',
          ),
          await balancesAt(kept),
        ];
        const month = MONTHS[ending] ?? '';
        for (let run = 0; run < 60; run += 1) await db.commit([...endEntries(month, step), FORGET]);
        const after = [
          await rows(
            'SELECT account, balance_cents FROM ledger_accounts WHERE balance_cents <> 0 ORDER BY account',
          ),
          await balancesAt(kept),
        ];
        expect(after).toEqual(before);
        expect(
          await rows(`SELECT account FROM ledger_accounts AS a WHERE balance_cents <>
            (SELECT COALESCE(SUM(amount_cents), 0) FROM ledger_entries AS e WHERE e.account = a.account)`),
        ).toEqual([]);
        const outside = { processor: null, chain: null };
        expect((await reconcile(db, outside, market.clock.now())).findings).toEqual([]);
        // What ended is gone: one entry at most for each account is left of it.
        const [ended] = await rows<{ id: number }>(
          `SELECT last_entry_id AS id FROM ledger_periods WHERE month = '${MONTHS[Math.min(ending, closed)]}'`,
        );
        expect(await rows(`SELECT id FROM ledger_entries WHERE id > 0 AND id <= ${ended?.id}`)).toEqual([]);
        if ((ended?.id ?? 0) > 0) expect(await findEndedMonth(db)).toBe(MONTHS[Math.min(ending, closed)]);
      },
    ),
    { numRuns: 12 },
  );
}, 300_000);

it('lets nothing be deleted that no closed month ends', async () => {
  emptyStorage?.();
  const market = createTestMarketplace();
  const db = market.newPorts().market;
  const legs = { into: 'bank', from: 'adjustments', amountCents: 100 };
  await db.commit([post(transferOf('processor_fee', 'one', legs), 'one', '2026-09-15T00:00:00.000Z')]);
  const attempt = (sql: string) => db.commit([{ sql, params: [] }]);
  await expect(attempt('DELETE FROM ledger_entries')).rejects.toThrow('ledger_is_append_only');
  await expect(attempt("INSERT INTO ending_records (kind, id) VALUES ('entries', '2')")).rejects.toThrow(
    'ended_periods_closed',
  );
  await expect(
    attempt("INSERT INTO ledger_postings VALUES ('other', 'adjustment', 'other', '[]', '2026-09-15')"),
  ).rejects.toThrow('ledger_balanced');
});
