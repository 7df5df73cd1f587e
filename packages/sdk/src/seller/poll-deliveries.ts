import type { MarketplaceClient } from '../client/client.ts';
import { sleep as defaultSleep } from '../client/retry.ts';
import type { Operations } from '../generated/api.ts';
import { type AnswerStore, createAnswerer } from './answer-store.ts';
import type { DeliveryPurchase } from './delivery-purchase.ts';
import { type Deliver, readMessage } from './messages.ts';
import { QueryRefused } from './query-refused.ts';

export interface PollDeliveriesOptions {
  /** A client with the seller's key. */
  readonly client: Pick<MarketplaceClient, 'listDeliveries' | 'answerDelivery'>;
  readonly deliver: Deliver;
  /** Stops polling, after the deliveries in progress are finished. */
  readonly signal: AbortSignal;
  /** Whether to add `__sha256` to the data. Default true. */
  readonly addSha256?: boolean;
  /** Where answers are kept per purchase, so that you are never asked twice for one. Left out: nowhere. */
  readonly answers?: AnswerStore;
  /** The polling interval in milliseconds. Default 1000: a buyer waits for this and for `deliver`, at most 30 s. */
  readonly intervalMs?: number;
  /** Called with errors of `deliver` and failed calls. Default `console.error`. */
  readonly onError?: (error: unknown) => void;
  readonly sleep?: (durationMs: number, signal?: AbortSignal) => Promise<void>;
}

type Pending = Operations['listDeliveries']['output']['deliveries'][number];
type Answer = Omit<Operations['answerDelivery']['input'], 'id'>;

/**
 * The endpoint of a seller that cannot be reached from outside (callbackType `polling`): fetches requests and
 * answers them, several at a time, until the signal is aborted. It also answers verification challenges. A
 * `deliver` that throws counts as no data, so that the buyer does not wait.
 *
 * @returns after the signal was aborted and the last answer was sent. Failed calls do not end it.
 */
export async function pollDeliveries(options: PollDeliveriesOptions): Promise<void> {
  const { client, deliver, signal, addSha256 = true, answers, intervalMs = 1000 } = options;
  const { onError = console.error, sleep = defaultSleep } = options;
  const dataFor = createAnswerer({ deliver, addSha256, answers, onError });
  const inProgress = new Map<string, Promise<void>>();
  /** Answered since the last list was requested, which may still contain them. */
  const answeredSinceList = new Set<string>();

  async function work({ id, request, purchase = null }: Pending): Promise<void> {
    try {
      await client.answerDelivery({ id, ...(await answerTo(request, purchase)) });
    } catch (error) {
      onError(error);
    } finally {
      inProgress.delete(id);
      answeredSinceList.add(id);
    }
  }

  async function answerTo(message: unknown, purchase: DeliveryPurchase | null): Promise<Answer> {
    const read = readMessage(message);
    if (read.kind === 'challenge') return { nonce: read.nonce };
    if (read.kind === 'unknown') return { available: false };
    try {
      const answer = await dataFor(read.request, purchase);
      if (answer === null) return { available: false };
      const { data, units } = answer;
      return { data: JSON.parse(data), ...(units !== null && { units }) };
    } catch (error) {
      if (!(error instanceof QueryRefused)) onError(error);
      return { available: false };
    }
  }

  while (!signal.aborted) {
    try {
      answeredSinceList.clear();
      const { deliveries } = await client.listDeliveries({}, { signal });
      for (const delivery of deliveries) {
        const { id } = delivery;
        if (!inProgress.has(id) && !answeredSinceList.has(id)) inProgress.set(id, work(delivery));
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    // Rejects when aborted; the loop checks the signal itself.
    await sleep(intervalMs, signal).catch(() => {});
  }
  await Promise.all(inProgress.values());
}
