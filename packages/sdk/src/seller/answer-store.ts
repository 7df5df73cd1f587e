import { deliverableText } from './deliverable.ts';
import type { DeliveryPurchase } from './delivery-purchase.ts';
import type { Deliver, DeliveryRequest } from './messages.ts';
import { type AnswerText, joinAnswer, MeteredData, splitAnswer } from './metered.ts';

/**
 * Keeps what was answered to each purchase, so that a buyer who lost it gets the very same again and you compute nothing
 * twice. It holds what you sell: keep it where only you read it. A directory or a key-value store fits:
 *
 *     { get: (key) => kv.get(key), put: (key, answer) => kv.put(key, answer, { expirationTtl: 90 * 86_400 }) }
 *
 * Several processes may share one. Two of them can be asked for one purchase at once: a store that can tell keeps the
 * first answer, and returns it from `put`; then both answer the same.
 */
export interface AnswerStore {
  /** The answer kept under this key, or null. Keys hold letters, digits, `_`, `-` and `.` only. */
  get(key: string): Promise<string | null> | string | null;
  /** Keeps an answer. May return the text that is kept by now, if another process was first. */
  put(key: string, answer: string): unknown;
}

/** Keeps the latest answers in memory, until the process ends. */
export function memoryAnswers(maxCharacters = 64 * 1024 * 1024): AnswerStore {
  const kept = new Map<string, string>();
  let characters = 0;
  return {
    get: (key) => kept.get(key) ?? null,
    put(key, answer) {
      characters += answer.length - (kept.get(key)?.length ?? 0);
      kept.delete(key);
      kept.set(key, answer);
      for (const [oldest, { length }] of kept) {
        if (characters <= maxCharacters) break;
        kept.delete(oldest);
        characters -= length;
      }
    },
  };
}

export interface AnswererOptions {
  readonly deliver: Deliver;
  readonly addSha256: boolean;
  readonly answers: AnswerStore | undefined;
  readonly onError: (error: unknown) => void;
}

/** Gives the answer to a request, or null if there is none now. */
export type Answerer = (
  request: DeliveryRequest,
  purchase: DeliveryPurchase | null,
) => Promise<AnswerText | null>;

/**
 * Asks `deliver`, or the store where it has an answer to that purchase. `purchase` must come from the marketplace: anybody
 * could name the purchase of somebody else.
 */
export function createAnswerer({ deliver, addSha256, answers, onError }: AnswererOptions): Answerer {
  /** Two requests for one purchase at once must not be answered differently. */
  const underWay = new Map<string, Promise<string | null>>();

  async function compute(
    request: DeliveryRequest,
    purchase: DeliveryPurchase | null,
  ): Promise<string | null> {
    const data: unknown = await deliver(request, purchase);
    if (data === null) return null;
    const isMetered = data instanceof MeteredData;
    const text = await deliverableText(isMetered ? data.data : data, addSha256);
    return joinAnswer({ data: text, units: isMetered ? data.units : null });
  }

  async function answerOnce(store: AnswerStore, key: string, ask: () => Promise<string | null>) {
    // A store that is full or down must not cost the sale.
    const kept = await orNull(() => store.get(key));
    if (kept !== null) return kept;
    const answer = await ask();
    if (answer === null) return null;
    const first = await orNull(() => store.put(key, answer));
    return typeof first === 'string' ? first : answer;
  }

  async function orNull<Value>(ask: () => Promise<Value> | Value): Promise<Value | null> {
    try {
      return await ask();
    } catch (error) {
      onError(error);
      return null;
    }
  }

  const answer = async (
    request: DeliveryRequest,
    purchase: DeliveryPurchase | null,
  ): Promise<string | null> => {
    const ask = async () => compute(request, purchase);
    if (answers === undefined || purchase === null) return ask();
    const key = `${purchase.sellerId}.${purchase.purchaseId}`;
    if (!/^[\w.-]{1,200}$/.test(key)) return ask();
    const first = underWay.get(key);
    if (first) return first;
    const once = answerOnce(answers, key, ask).finally(() => underWay.delete(key));
    underWay.set(key, once);
    return once;
  };

  return async (request, purchase) => {
    const text = await answer(request, purchase);
    return text === null ? null : splitAnswer(text);
  };
}
