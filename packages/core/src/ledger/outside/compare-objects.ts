import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, epochOf, HOUR_MS, type IsoTime, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { endOf, type Month } from '../period.rules.ts';
import { findChainReading } from './chain-transfers.store.ts';
import { readLedgerComparison } from './compared-ledger.store.ts';
import {
  type ComparedObject,
  type ComparedRail,
  countObjects,
  listUnmatched,
  type ObjectCount,
} from './compared-objects.store.ts';
import { readProcessorReading } from './processor-entries.store.ts';
import { chainAccount } from './read-chain-transfers.ts';

/** How far a rail and the ledger were read and compared. */
export interface RailReading {
  readonly rail: ComparedRail;
  /** Null: nothing yet. */
  readonly readUntil: IsoTime | null;
  /** Read as far as it can be by now. Where it is not, what is newer is not known. */
  readonly isUpToDate: boolean;
}

export interface ObjectComparison {
  readonly counts: readonly ObjectCount[];
  /** A page of what does not match. */
  readonly unmatched: readonly ComparedObject[];
  readonly nextAfter: string | null;
  /** Of each rail that is configured. */
  readonly readings: readonly RailReading[];
}

type ComparedPorts = Pick<Ports, 'market' | 'cards' | 'chain'>;

const PAGE = 100;
/** What is posted just now may be read outside in the next minute, and the other way round. */
const SETTLES_IN_MS = 5 * MINUTE_MS;
/** Jobs read every minute; a block of Base is final within half an hour. */
const BEHIND_MS = { card: 10 * MINUTE_MS, usdc: HOUR_MS } as const;

async function readReadings({ market, cards, chain }: ComparedPorts, now: EpochMs): Promise<RailReading[]> {
  const [card, usdc, { comparedUntil }] = await Promise.all([
    cards && readProcessorReading(market),
    chain && findChainReading(market, chainAccount(chain)),
    readLedgerComparison(market),
  ]);
  const readingOf = (rail: ComparedRail, outside: IsoTime | null): RailReading => {
    const readUntil = outside && comparedUntil && (outside < comparedUntil ? outside : comparedUntil);
    const isUpToDate = readUntil !== null && epochOf(readUntil) >= now - BEHIND_MS[rail];
    return { rail, readUntil, isUpToDate };
  };
  return [
    ...(cards === null ? [] : [readingOf('card', card?.readUntil ?? null)]),
    ...(chain === null ? [] : [readingOf('usdc', usdc?.checkedUntil ?? null)]),
  ];
}

/** Each payment, refund, transfer, dispute and movement of a month outside against the postings that name it. */
export async function compareObjects(
  ports: ComparedPorts,
  now: EpochMs,
  { month, after }: { readonly month: Month; readonly after: string },
): Promise<ObjectComparison> {
  const readings = await readReadings(ports, now);
  const period = { month, card: untilOf(readings, 'card'), usdc: untilOf(readings, 'usdc') };
  const [counts, found] = await Promise.all([
    countObjects(ports.market, period),
    listUnmatched(ports.market, period, { after, limit: PAGE + 1 }),
  ]);
  const unmatched = found.slice(0, PAGE);
  const last = unmatched.at(-1);
  const nextAfter = found.length > PAGE && last ? `${last.rail}:${last.id}` : null;
  return { counts, unmatched, nextAfter, readings };
}

/** What is older can be compared; nothing, where nothing was read. */
function untilOf(readings: readonly RailReading[], rail: ComparedRail): IsoTime {
  const readUntil = readings.find((one) => one.rail === rail)?.readUntil ?? null;
  return readUntil === null ? '' : isoTime(epochOf(readUntil) - SETTLES_IN_MS);
}

/** Whether all of a month that is over was read outside, and matches. */
export async function isMatched(ports: ComparedPorts, now: EpochMs, month: Month): Promise<boolean> {
  const { unmatched, readings } = await compareObjects(ports, now, { month, after: '' });
  const settled = epochOf(endOf(month)) + SETTLES_IN_MS;
  const isRead = readings.every(({ readUntil }) => readUntil !== null && epochOf(readUntil) >= settled);
  return isRead && unmatched.length === 0;
}
