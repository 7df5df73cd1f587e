import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { and, asc, desc, eq, gt, lte, ne, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isConflictIn, isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import {
  chainReadings,
  chainTransfers,
  comparedObjects,
  ledgerEntries,
  ledgerPostings,
} from '../../db/tables/ledger.ts';
import { type AccountTransfer, UNITS_PER_CENT } from '../../kernel/ports/chain.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { splitIntoBatches } from '../../kernel/split-into-batches.ts';
import { type IsoTime, isoTime, SECOND_MS } from '../../kernel/time.ts';
import { addedOutside } from './compared-rows.store.ts';

export interface ChainAccount {
  readonly chainId: number;
  readonly account: Hex;
}

/** How far the transfers of an account were read. */
export interface ChainReading extends ChainAccount {
  readonly readBlock: number;
  /** What it should hold after that block. */
  readonly readUnits: bigint;
  /** Its balance proved that none is missing up to here. */
  readonly checkedBlock: number;
  readonly checkedUnits: bigint;
  readonly checkedUntil: IsoTime;
}

const reading = query((p: Params<ChainAccount>) =>
  build
    .select({
      readBlock: chainReadings.readBlock,
      readUnits: chainReadings.readUnits,
      checkedBlock: chainReadings.checkedBlock,
      checkedUnits: chainReadings.checkedUnits,
      checkedUntil: chainReadings.checkedUntil,
    })
    .from(chainReadings)
    .where(and(eq(chainReadings.chainId, p.chainId), eq(chainReadings.account, p.account))),
);

const anyReading = query(() => build.select({ chainId: chainReadings.chainId }).from(chainReadings).limit(1));

const postedAt = (order: typeof asc) =>
  query((p: Params<{ account: string }>) =>
    build
      .select({ createdAt: ledgerPostings.createdAt })
      .from(ledgerEntries)
      .innerJoin(ledgerPostings, eq(ledgerPostings.id, ledgerEntries.postingId))
      .where(eq(ledgerEntries.account, p.account))
      .orderBy(order(ledgerEntries.id))
      .limit(1),
  );
const firstOf = postedAt(asc);
const lastOf = postedAt(desc);

const moveReading = write(
  (
    p: Params<
      ChainAccount & { before: number } & Record<'readBlock' | 'checkedBlock', number> &
        Record<'readUnits' | 'checkedUnits' | 'checkedUntil', string>
    >,
  ) =>
    build
      .update(chainReadings)
      .set({
        readBlock: p.readBlock,
        readUnits: p.readUnits,
        checkedBlock: p.checkedBlock,
        checkedUnits: p.checkedUnits,
        checkedUntil: p.checkedUntil,
      })
      .where(
        and(
          eq(chainReadings.chainId, p.chainId),
          eq(chainReadings.account, p.account),
          eq(chainReadings.readBlock, p.before),
        ),
      ),
);

const insertTransfers = write((p: Params<ChainAccount & { transfers: string }>) =>
  insertFrom(
    chainTransfers,
    {
      chainId: p.chainId,
      account: p.account,
      transactionHash: sql`value ->> 'transaction'`,
      logIndex: sql`value ->> 'logIndex'`,
      block: sql`value ->> 'block'`,
      sender: sql`value ->> 'from'`,
      recipient: sql`value ->> 'to'`,
      units: sql`value ->> 'units'`,
      createdAt: sql`value ->> 'at'`,
    },
    (select) => select.from(sql`json_each(${p.transfers})`),
  ),
);

const isAfter = (p: Params<ChainAccount & { after: number }>) =>
  and(
    eq(chainTransfers.chainId, p.chainId),
    eq(chainTransfers.account, p.account),
    gt(chainTransfers.block, p.after),
  );

const deleteTransfers = write((p: Params<ChainAccount & { after: number }>) =>
  build.delete(chainTransfers).where(isAfter(p)),
);

const ofTransfers = write((p: Params<ChainAccount & { after: number; upTo: number }>) => {
  const { account, createdAt, recipient, sender, transactionHash, units } = chainTransfers;
  const id = sql`CASE ${recipient} WHEN ${account} THEN 'payment:' ELSE 'transfer:' END || ${transactionHash}`;
  return insertFrom(
    comparedObjects,
    {
      rail: 'usdc',
      id,
      currency: 'usd',
      outsideCents: sql`SUM(CASE ${recipient} WHEN ${account} THEN 1 ELSE -1 END
        * (CAST(${units} AS INTEGER) / ${Number(UNITS_PER_CENT)}))`,
      ledgerCents: 0,
      isOutside: true,
      isInLedger: false,
      firstAt: sql`MIN(${createdAt})`,
      lastAt: sql`MAX(${createdAt})`,
    },
    (select) =>
      select
        .from(chainTransfers)
        .where(and(isAfter(p), lte(chainTransfers.block, p.upTo), ne(sender, recipient)))
        .groupBy(id),
  ).onConflictDoUpdate(addedOutside());
});

/** Null: nothing of this account was read yet. */
export async function findChainReading(db: Database, of: ChainAccount): Promise<ChainReading | null> {
  const row = await reading.first(db, { chainId: of.chainId, account: of.account });
  if (row === null) return null;
  const { readUnits, checkedUnits, ...rest } = row;
  return { ...of, ...rest, readUnits: BigInt(readUnits), checkedUnits: BigInt(checkedUnits) };
}

export const isAnyAccountRead = async (db: Database): Promise<boolean> =>
  (await anyReading.first(db)) !== null;

/** When the ledger first knew of USDC; null: it does not. */
export async function findFirstUsdc(db: Database): Promise<IsoTime | null> {
  return (await usdcTimes(db, firstOf))[0] ?? null;
}

/** When it last did. */
export async function findLastUsdc(db: Database): Promise<IsoTime | null> {
  return (await usdcTimes(db, lastOf)).at(-1) ?? null;
}

async function usdcTimes(db: Database, of: typeof firstOf): Promise<IsoTime[]> {
  const found = await Promise.all(
    ['usdc_clearing', 'payouts_usdc'].map((account) => of.first(db, { account })),
  );
  return found.flatMap((row) => (row ? [row.createdAt] : [])).toSorted();
}

export function insertChainReading(reading: ChainReading): Statement {
  const { readUnits, checkedUnits } = reading;
  return insertInto(chainReadings, {
    ...reading,
    readUnits: String(readUnits),
    checkedUnits: String(checkedUnits),
  });
}

const NOBODY_ELSE = 'chain_reading_latest';

/** Another run read on in the meantime. */
export const isReadElsewhere = (error: unknown): boolean =>
  isGuard(error, NOBODY_ELSE) || isConflictIn(error, chainReadings);

function moveTo(before: ChainReading, after: ChainReading): Statement[] {
  const { readUnits, checkedUnits, ...rest } = after;
  const units = { readUnits: String(readUnits), checkedUnits: String(checkedUnits) };
  return [moveReading({ ...rest, ...units, before: before.readBlock }), guardOneChange(NOBODY_ELSE)];
}

/** Transfers of one transaction of the database. */
const BATCH = 1000;

/** Records what was read, and compares what the balance proved to be all. */
export function readOn(
  before: ChainReading,
  after: ChainReading,
  transfers: readonly AccountTransfer[],
): Statement[] {
  const { chainId, account } = after;
  const rows = transfers.map(({ seconds, units, ...one }) => ({
    ...one,
    units: String(units),
    at: isoTime(seconds * SECOND_MS),
  }));
  return [
    ...moveTo(before, after),
    ...splitIntoBatches(rows, BATCH).map((batch) =>
      insertTransfers({ chainId, account, transfers: JSON.stringify(batch) }),
    ),
    ...(after.checkedBlock === before.checkedBlock
      ? []
      : [ofTransfers({ chainId, account, after: before.checkedBlock, upTo: after.checkedBlock })]),
  ];
}

/** Forgets what the balance did not prove: it is read once more. */
export function readAgain(reading: ChainReading): Statement[] {
  const { chainId, account, checkedBlock, checkedUnits } = reading;
  const back = { ...reading, readBlock: checkedBlock, readUnits: checkedUnits };
  return [...moveTo(reading, back), deleteTransfers({ chainId, account, after: checkedBlock })];
}
