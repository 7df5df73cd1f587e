import { createHmac } from 'node:crypto';
import type { Delivery, Event } from './records.ts';

/** After a failed try; Stripe takes three days for it, this a few minutes. */
const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000, 60_000];
const TIMEOUT_MS = 20_000;

export interface WebhookOptions {
  readonly secret: string;
  /** Kept with the other state, so that what was not delivered is after a restart. */
  readonly deliveries: Delivery[];
  readonly now: () => number;
  readonly changed: () => void;
  readonly retryDelaysMs?: readonly number[];
}

export interface FlushOptions {
  /** How often each event is sent. */
  readonly copies?: number;
  /** Sends in another order; the same number gives the same one. */
  readonly shuffle?: number;
}

/** `Stripe-Signature` for a body sent at this time. */
function signatureHeader(body: string, secret: string, nowMs: number): string {
  const t = Math.floor(nowMs / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

/** Sends events to the webhook, one after another, and again until it takes them. */
export class Webhooks {
  url: string | null = null;
  readonly #options: WebhookOptions;
  /** What is tried again later, by the timer that does it. */
  readonly #retries = new Map<Delivery, NodeJS.Timeout>();
  #held = false;
  #sending: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  add(event: Event): void {
    this.#options.deliveries.push({ event, attempts: 0 });
    this.#options.changed();
    this.sendWaiting();
  }

  /** Keeps new events back until `flush` or `release`. */
  hold(): void {
    this.#held = true;
  }

  /** Sends as they come from now on, and what was held. */
  release(): void {
    this.#held = false;
    this.sendWaiting();
  }

  /** Sends what is held, as often and in what order is wished; the rest stays held. */
  async flush({ copies = 1, shuffle }: FlushOptions = {}): Promise<void> {
    const waiting = [...this.#options.deliveries];
    const all = Array.from({ length: copies }, () => waiting).flat();
    for (const delivery of shuffle === undefined ? all : shuffled(all, shuffle)) await this.#send(delivery);
  }

  /** Forgets what is held: it never arrives. */
  drop(): number {
    const waiting = [...this.#options.deliveries];
    for (const delivery of waiting) this.#end(delivery);
    return waiting.length;
  }

  /** When everything that was due so far has been tried. */
  async settled(): Promise<void> {
    for (let before: Promise<void> | null = null; before !== this.#sending; ) {
      before = this.#sending;
      await before;
    }
  }

  sendWaiting(): void {
    if (this.#held || !this.url || this.#isClosed) return;
    this.#sending = this.#sending.then(async () => {
      for (const delivery of [...this.#options.deliveries]) {
        if (!this.#retries.has(delivery)) await this.#try(delivery);
      }
    });
  }

  close(): void {
    this.#closing.abort();
    for (const timer of this.#retries.values()) clearTimeout(timer);
  }

  async #try(delivery: Delivery): Promise<void> {
    const due = this.#options.deliveries.includes(delivery) && !this.#held && !this.#isClosed;
    if (!due || (await this.#send(delivery)) || this.#isClosed) return;
    const delays = this.#options.retryDelaysMs ?? RETRY_DELAYS_MS;
    const delay = delays[delivery.attempts - 1];
    if (delay === undefined) {
      this.#end(delivery);
      return;
    }
    const timer = setTimeout(() => {
      this.#retries.delete(delivery);
      this.#sending = this.#sending.then(() => this.#try(delivery));
    }, delay);
    this.#retries.set(delivery, timer.unref());
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Delivered, or given up: only what waits is kept. */
  #end(delivery: Delivery): void {
    const { deliveries, changed } = this.#options;
    const index = deliveries.indexOf(delivery);
    if (index >= 0) deliveries.splice(index, 1);
    clearTimeout(this.#retries.get(delivery));
    this.#retries.delete(delivery);
    changed();
  }

  async #send(delivery: Delivery): Promise<boolean> {
    if (!this.url) return false;
    const body = JSON.stringify(delivery.event, null, 2);
    const signature = signatureHeader(body, this.#options.secret, this.#options.now());
    const taken = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#closing.signal]),
    }).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
    delivery.attempts += 1;
    if (taken) this.#end(delivery);
    else this.#options.changed();
    return taken;
  }
}

/** The same order for the same seed (mulberry32), never the order given where there is another. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const order = items.map((item) => ({ item, at: random() })).sort((a, b) => a.at - b.at);
  const result = order.map(({ item }) => item);
  return result.every((item, index) => item === items[index]) ? result.reverse() : result;
}
