import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { DAY_MS, isoTime, MINUTE_MS } from '../kernel/time.ts';
import { firstMeasuredDay, type HoursOfDay, measureOf } from './measure.rules.ts';
import {
  countBuyers,
  type DayOfListing,
  forgetBefore,
  listDue,
  markMeasured,
  readDays,
  readProbes,
  saveMeasure,
} from './measures.store.ts';
import type { QualityStatement } from './quality.schema.ts';

/** How many one run measures. The next one, a minute later, continues. */
const PER_RUN = 200;
/** A listing that is asked all the time is measured, signed and indexed so often. */
const FRESH_MS = 10 * MINUTE_MS;

type MeasurePorts = Pick<Ports, 'market' | 'signer' | 'clock'>;

/**
 * Brings the measures of listings up to date, where attempts came in or a day left the window. It is a job, so that
 * neither a purchase nor a reader pays for it.
 */
export async function measureListings(ports: MeasurePorts): Promise<void> {
  const { market, clock } = ports;
  const now = clock.now();
  const since = firstMeasuredDay(now);
  const listingIds = await listDue(market, {
    freshSince: isoTime(now - FRESH_MS),
    oldSince: isoTime(now - DAY_MS),
    limit: PER_RUN,
  });
  if (listingIds.length > 0) {
    const [days, buyers] = await Promise.all([
      readDays(market, listingIds, since),
      countBuyers(market, listingIds, since),
    ]);
    const sellerIds = [...new Set(days.map(({ sellerId }) => sellerId))];
    const probesOf = Map.groupBy(await readProbes(market, sellerIds, since), ({ sellerId }) => sellerId);
    const daysOf = Map.groupBy(days, ({ listingId }) => listingId);
    const measured = await Promise.all(
      listingIds.map(async (listingId) => {
        const own = daysOf.get(listingId) ?? [];
        const probes = probesOf.get(own[0]?.sellerId ?? '') ?? [];
        return saveMeasure(listingId, await measure(ports, own, probes, buyers.get(listingId) ?? 0));
      }),
    );
    await market.commit([...measured, markMeasured(days)]);
  }
  await market.commit(forgetBefore(since));
}

async function measure(
  { signer, clock }: MeasurePorts,
  days: readonly DayOfListing[],
  probes: readonly HoursOfDay[],
  buyers30d: number,
): Promise<QualityStatement | null> {
  const found = measureOf(days, probes);
  const [day] = days;
  if (found === null || day === undefined) return null;
  const { listingId, sellerId } = day;
  const measuredAt = isoTime(clock.now());
  const type = 'listing_quality' as const;
  return signStatement(signer, { ...found, buyers30d, listingId, measuredAt, sellerId, type }, measuredAt);
}
