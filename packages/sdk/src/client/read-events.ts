import type { Operations } from '../generated/api.ts';
import { MarketplaceError } from './errors.ts';
import type { CallOptions } from './options.ts';
import { sleep as defaultSleep } from './retry.ts';

type Page = Operations['listAgentEvents']['output'];

/** One event of the agent. The same event has the same `id` wherever it appears. */
export type AgentEvent = Page['events'][number];

export interface EventsOptions {
  /** The `sequence` of the last event that you dealt with. Left out: from the oldest that is kept. */
  readonly after?: number;
  /** How long one request waits for an event, in seconds. Default 25, the most. */
  readonly waitSeconds?: number;
  /**
   * Told how many events after `after` are no longer kept. Without it, the iteration rejects where that is so, unless it
   * began at the oldest.
   */
  readonly onMissed?: (count: number) => void;
  /** Ends the iteration: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Replaced in tests. */
  readonly sleep?: (durationMs: number, signal?: AbortSignal) => Promise<void>;
}

/** The method of the client that this builds on. */
interface EventReader {
  listAgentEvents(input: { after: number; wait: number }, options?: CallOptions): Promise<Page>;
}

/** While the marketplace cannot be reached. */
const OUTAGE_MS = 5000;

/**
 * The agent's events in sequence, those to come included: it waits for the next one, and goes on after an outage. It ends
 * only by its caller, or by an error that trying again does not mend, as a revoked key.
 *
 * Save the `sequence` of an event once you dealt with it, and begin with it as `after` next time: so you see each event at
 * least once, whatever breaks.
 */
export async function* readEvents(
  client: EventReader,
  options: EventsOptions = {},
): AsyncGenerator<AgentEvent, never, undefined> {
  const { after, onMissed = after === undefined ? () => {} : refuseMissed, signal } = options;
  for (let position = after ?? 0; ; ) {
    const page = await readPage(client, position, options);
    signal?.throwIfAborted();
    if (page === null) continue;
    if (page.missed > 0) onMissed(page.missed);
    for (const event of page.events) {
      yield event;
      signal?.throwIfAborted();
    }
    position = page.nextAfter;
  }
}

function refuseMissed(count: number): void {
  throw new RangeError(`${count} events are no longer kept: look at your purchases and sales instead.`);
}

/** Null: the marketplace cannot be reached now. */
async function readPage(
  client: EventReader,
  after: number,
  { waitSeconds: wait = 25, signal, sleep = defaultSleep }: EventsOptions,
): Promise<Page | null> {
  signal?.throwIfAborted();
  try {
    return await client.listAgentEvents({ after, wait }, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof MarketplaceError && error.retryable)) throw error;
    await sleep(OUTAGE_MS, signal);
    return null;
  }
}
