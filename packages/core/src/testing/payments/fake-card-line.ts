import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import {
  type CardEvent,
  type CardEventPage,
  type CardProcessor,
  CardProcessorError,
  type WebhookReading,
} from '../../kernel/ports/card-processor.ts';
import { refused } from './fake-card-books.ts';

/** What happens to one call: nothing, or the connection breaks before or after it took effect. */
export type CardFault = 'lose_request' | 'lose_reply' | undefined;

export interface CardCall {
  readonly method: keyof CardProcessor;
  /** Null for calls that only read. */
  readonly key: string | null;
}

const TOLERANCE_MS = 300_000;
/** Small, so that tests turn pages. */
const PAGE = 5;

/** The way to the fake card processor and back: lost calls, repeated keys, webhooks. */
export class FakeCardLine {
  readonly calls: CardCall[] = [];
  fault: (call: CardCall) => CardFault | Promise<CardFault> = () => undefined;
  readonly #answers = new Map<string, { asked: string; answer: unknown }>();
  readonly #events: CardEvent[] = [];
  /** All there ever were, in order. */
  readonly #told: CardEvent[] = [];
  readonly #now: () => number;
  #ids = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  async change<T>(method: keyof CardProcessor, key: string, request: unknown, work: () => T): Promise<T> {
    const fault = await this.#begin({ method, key });
    const asked = JSON.stringify([method, request]);
    const known = this.#answers.get(key);
    if (known && known.asked !== asked) throw refused(`key ${key} is another call's`);
    const answer = known ? (known.answer as T) : work();
    this.#answers.set(key, { asked, answer });
    if (fault === 'lose_reply') throw lost(method);
    return answer;
  }

  async read<T>(method: keyof CardProcessor, work: () => T): Promise<T> {
    const fault = await this.#begin({ method, key: null });
    const answer = work();
    if (fault === 'lose_reply') throw lost(method);
    return answer;
  }

  readonly newId = (prefix: string): string => `${prefix}_fake${++this.#ids}`;

  tell(about: CardEvent['about']): void {
    const event = { id: this.newId('evt'), createdAtMs: this.#now(), about };
    this.#events.push(event);
    this.#told.push(event);
  }

  eventsBetween({ sinceMs, untilMs, after }: Parameters<CardProcessor['listEvents']>[0]): CardEventPage {
    const found = this.#told
      .filter(
        ({ createdAtMs, about }) =>
          createdAtMs >= sinceMs && createdAtMs <= untilMs && about.kind !== 'account',
      )
      .toReversed();
    const start = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1;
    const events = found.slice(start, start + PAGE);
    return { events, next: start + PAGE < found.length ? (events.at(-1)?.id ?? null) : null };
  }

  takeWebhooks(nowMs: number): Promise<{ rawBody: string; signatureHeader: string }[]> {
    return Promise.all(this.#events.splice(0).map((event) => this.sign(JSON.stringify(event), nowMs)));
  }

  async sign(rawBody: string, nowMs: number): Promise<{ rawBody: string; signatureHeader: string }> {
    return { rawBody, signatureHeader: `t=${nowMs},v1=${await signature(nowMs, rawBody)}` };
  }

  async readWebhook(rawBody: string, header: string, nowMs: number): Promise<WebhookReading> {
    const [, signedAt, given] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(header) ?? [];
    const isFresh = Number(signedAt) >= nowMs - TOLERANCE_MS;
    const isAuthentic = isFresh && given === (await signature(Number(signedAt), rawBody));
    return isAuthentic ? (JSON.parse(rawBody) as CardEvent) : 'unauthentic';
  }

  async #begin(call: CardCall): Promise<CardFault> {
    this.calls.push(call);
    const fault = await this.fault(call);
    if (fault === 'lose_request') throw lost(call.method);
    return fault;
  }
}

function lost(method: string): CardProcessorError {
  return new CardProcessorError(`card processor: ${method}: connection lost`, true);
}

function signature(signedAt: number, rawBody: string): Promise<string> {
  return sha256Hex(`fake card processor ${signedAt}.${rawBody}`);
}
