import type { Settings } from '../../kernel/operation/operation.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, type IsoTime, isoTime } from '../../kernel/time.ts';
import { type HealthPart, healthPart, type PartReading } from './health-parts.rules.ts';
import { readSearch, readWaiting, type Waiting } from './waiting.store.ts';

type HealthPorts = Pick<Ports, 'market' | 'search' | 'depth' | 'cards' | 'chain' | 'clock'>;

export interface FailingJob {
  readonly job: string;
  readonly since: IsoTime;
}

export interface HealthReading {
  /** In the order of their names. */
  readonly parts: readonly HealthPart[];
  /** The one that has failed longest first. */
  readonly failingJobs: readonly FailingJob[];
}

/** Asks every part once; one that does not answer leaves the others as they are. */
export async function readHealth(
  ports: HealthPorts,
  { sendsMail }: Pick<Settings, 'sendsMail'>,
  now: EpochMs,
): Promise<HealthReading> {
  const { clock } = ports;
  const [market, search, objects] = await Promise.all([
    timed(clock, () => readWaiting(ports.market, isoTime(now))),
    timed(clock, () => readSearch(ports.search)),
    timed(clock, () => readDepth(ports)),
  ]);
  const waiting = market.answer;
  const readings: PartReading[] = [
    { name: 'database', isDown: waiting === null, latencyMs: market.latencyMs },
    { name: 'objects', isDown: objects.answer === null, latencyMs: objects.latencyMs },
    { ...searchReading(waiting), isDown: search.answer === null, latencyMs: search.latencyMs },
    // Without the database nothing is known of the rest, which stands in it.
    ...(waiting === null ? [] : recordedReadings(ports, waiting, sendsMail)),
  ];
  const parts = readings
    .map((reading) => healthPart(reading, now))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { parts, failingJobs: waiting?.failingJobs ?? [] };
}

async function readDepth({ depth }: HealthPorts): Promise<true> {
  if ((await depth.read(WHOLE_DEPTH)) === null) throw new Error('The door did not answer.');
  return true;
}

const WHOLE_DEPTH = { intentClass: null, side: null, vertical: null };

const searchReading = (waiting: Waiting | null): PartReading => ({
  name: 'search',
  waiting: waiting?.searchWaiting ?? 0,
});

function recordedReadings(
  { cards, chain }: HealthPorts,
  waiting: Waiting,
  sendsMail: boolean,
): PartReading[] {
  return [
    {
      name: 'jobs',
      doneAt: waiting.ranAt,
      oldestAt: waiting.failingJobs[0]?.since ?? null,
      waiting: waiting.failingJobs.length,
    },
    {
      name: 'backups',
      isOff: waiting.firstBackupAt === null,
      doneAt: waiting.backedUpAt,
      // Until the first one is finished, it waits.
      firstBeganAt: waiting.firstBackupAt,
      oldestAt: waiting.backedUpAt === null ? waiting.firstBackupAt : null,
      waiting: waiting.backedUpAt === null && waiting.firstBackupAt !== null ? 1 : 0,
    },
    { name: 'queues', oldestAt: waiting.oldestDeadAt, waiting: waiting.messagesDead },
    { name: 'events', oldestAt: waiting.oldestEventAt, waiting: waiting.eventsWaiting },
    {
      name: 'log',
      isDown: waiting.logStoppedAt !== null,
      oldestAt: waiting.oldestStatementAt,
      waiting: waiting.statementsWaiting,
    },
    { name: 'mail', isOff: !sendsMail, oldestAt: waiting.oldestMailAt, waiting: waiting.mailsWaiting },
    {
      name: 'processor',
      isOff: cards === null,
      doneAt: waiting.processorReadAt,
      oldestAt: waiting.oldestCardEventAt,
      waiting: waiting.cardEventsWaiting,
    },
    { name: 'chain', isOff: chain === null, doneAt: waiting.chainReadAt },
  ];
}

/** The answer and how long it took; null: there was none. */
async function timed<Answer extends object | true>(clock: Ports['clock'], ask: () => Promise<Answer>) {
  const beganAt = clock.now();
  const answer = await ask().catch(() => null);
  return { answer, latencyMs: clock.now() - beganAt };
}
