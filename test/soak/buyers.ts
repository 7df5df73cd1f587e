import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { enterCard } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { PURCHASED, PURCHASED_QUERY } from '../bench/purchased.ts';
import type { Random } from '../week/random.ts';
import type { Caller, Reply } from './caller.ts';
import { contentOf } from './failing-sellers.ts';
import type { Attempt, Client } from './journal.ts';

const TOP_UP_CENTS = 20_000;
const CARD = '4242424242424242';
const RETRY_MS = 400;
/** Says that nothing is decided yet: the same request is to be sent again. */
const UNDECIDED_CODES = ['idempotency_in_flight', 'payment_not_confirmed', 'settlement_pending'];
/** Who is told to come back later than this takes it for an answer: the quota of a day is spent. */
const LONGEST_WAIT_MS = 30_000;
/** An attempt is given up as lost after so long, which the judge then reports. */
const PATIENCE_MS = 240_000;

export interface Offered {
  readonly id: string;
  readonly priceCents: number;
}

export interface Market {
  readonly caller: Caller;
  readonly random: Random;
  readonly clients: readonly Client[];
  readonly listings: readonly Offered[];
  readonly counts: Record<string, number>;
}

/** What one client does on the market. It repeats under the same key whatever is unknown or undecided, to its end. */
export class Buyer {
  readonly #market: Market;
  readonly #self: Client;

  constructor(market: Market, self: Client) {
    this.#market = market;
    this.#self = self;
  }

  async browse(): Promise<void> {
    const { random, listings } = this.#market;
    const path = random.pick([
      '/marketplace/listings',
      '/marketplace/listings?q=world+clock&sort=relevance',
      '/marketplace/categories',
      '/proof/demand',
      `/marketplace/listings/${random.pick(listings).id}`,
    ]);
    await this.#expect('GET', path, {}, [200]);
    this.#count('reads');
  }

  async buyFree(): Promise<void> {
    const path = `/marketplace/listings/${PURCHASED}/purchase`;
    const reply = await this.#untilDecided('POST', path, { query: PURCHASED_QUERY });
    if (reply?.status === 200) this.#count('free purchases');
    else if (reply !== null) this.#note('free purchase', reply);
  }

  async buy(paymentMethod: 'wallet' | 'checkout'): Promise<void> {
    const { random, listings } = this.#market;
    const { id, priceCents } = random.pick(listings);
    const query: JsonObject = { item: randomUUID(), isLarge: random.chance(0.05) };
    const attempt: Attempt = {
      idempotencyKey: randomUUID(),
      priceCents,
      outcome: 'unknown',
      purchaseId: null,
    };
    this.#self.attempts.push(attempt);
    const path = `/marketplace/listings/${id}/purchase`;
    const body = { query, payment_method: paymentMethod };
    let reply = await this.#untilDecided('POST', path, body, attempt.idempotencyKey);
    if (reply === null) return;
    if (reply.status === 200 && reply.body.checkoutUrl) {
      attempt.purchaseId = reply.body.id;
      await this.#pay(reply.body.checkoutUrl);
      reply = await this.#collect(reply.body.id);
      if (reply === null) return;
    }
    this.#conclude(attempt, query, reply);
    if (reply.body.code === 'wallet_insufficient') await this.topUp();
  }

  async readAgain(): Promise<void> {
    const shown = this.#self.attempts.filter(({ outcome }) => outcome === 'shown');
    if (shown.length === 0) return;
    const { purchaseId, priceCents } = this.#market.random.pick(shown);
    const reply = await this.#expect('GET', `/marketplace/purchases/${purchaseId}?content=omit`, {}, [200]);
    if (reply && reply.body.amountCents !== priceCents) this.#note('its price changed', reply);
    this.#count('purchases read again');
  }

  async rate(): Promise<void> {
    const { attempts, ratedPurchases } = this.#self;
    const shown = attempts.filter(
      ({ outcome, purchaseId }) => outcome === 'shown' && !ratedPurchases.has(purchaseId ?? ''),
    );
    if (shown.length === 0) return;
    const { purchaseId } = this.#market.random.pick(shown);
    const known = await this.#expect('GET', `/marketplace/purchases/${purchaseId}?content=omit`, {}, [200]);
    if (known === null) return;
    const path = `/marketplace/listings/${known.body.listingId}/rate`;
    const reply = await this.#untilDecided('POST', path, {
      purchase_id: purchaseId,
      rating: 1 + Math.floor(this.#market.random.next() * 5),
    });
    if (reply?.status === 200) {
      ratedPurchases.add(purchaseId ?? '');
      this.#count('ratings');
    } else if (reply !== null && reply.status !== 409) this.#note('rating', reply);
  }

  async write(): Promise<void> {
    const others = this.#market.clients.filter((one) => one !== this.#self);
    const { handle } = this.#market.random.pick(others);
    const text = `soak ${randomUUID()}`;
    const reply = await this.#untilDecided('POST', `/agents/${handle}/messages`, { text });
    if (reply?.status === 201) {
      this.#self.sentTexts.push(text);
      this.#count('messages');
    } else if (reply !== null && ![403, 409, 429].includes(reply.status)) this.#note('message', reply);
  }

  async topUp(): Promise<void> {
    const reply = await this.#untilDecided('POST', '/wallet/fund', { amount_cents: TOP_UP_CENTS });
    if (reply === null) return;
    if (reply.status === 200) {
      const { topUpId, checkoutUrl } = reply.body;
      if (await this.#pay(checkoutUrl)) this.#self.paidTopUps.add(topUpId);
      this.#count('top-ups');
    } else {
      if (![409, 429].includes(reply.status)) this.#note('top-up', reply);
      this.#count(`top-ups refused: ${reply.body.code}`);
    }
  }

  #conclude(attempt: Attempt, query: JsonObject, reply: Reply): void {
    const { body, status } = reply;
    if (status === 200) {
      attempt.purchaseId = body.id;
      if (/^(held|releasing|released)$/.test(body.status)) {
        attempt.outcome = 'shown';
        // A repetition is answered out of the seller again, which may fail then: the receipt stands.
        const { __sha256: _, ...content } = body.content ?? {};
        if (body.content !== null && JSON.stringify(content) !== JSON.stringify(contentOf(query)))
          this.#note('another content', reply);
        this.#count(body.content === null ? 'paid, and the answer lost' : 'paid purchases');
      } else {
        attempt.outcome = 'refused';
        this.#count(`ended ${body.status}`);
      }
      return;
    }
    // The money is taken, and the seller fails when it is asked again.
    if (body.charged === true) {
      attempt.outcome = 'shown';
      attempt.purchaseId ??= body.purchaseId ?? null;
      this.#count('paid, and the answer lost');
      return;
    }
    attempt.outcome = 'refused';
    this.#count(`refused: ${body.code}`);
    if (![402, 404, 409, 410, 429, 502, 504].includes(status)) this.#note('purchase', reply);
  }

  /** Until the payment is known and the seller has answered, or it is over. */
  async #collect(purchaseId: string): Promise<Reply | null> {
    for (const start = performance.now(); performance.now() - start < PATIENCE_MS; ) {
      const reply = await this.#market.caller.ask('GET', `/marketplace/purchases/${purchaseId}`, {
        apiKey: this.#self.apiKey,
      });
      const isOver = reply?.status === 200 && !/^(pending_payment|authorized)$/.test(reply.body.status);
      if (reply !== null && (isOver || (reply.status < 500 && ![200, 409, 429].includes(reply.status))))
        return reply;
      if (reply !== null && reply.body.retryable === false) return reply;
      if (reply?.status === 429) return reply;
      await pause(waitMsOf(reply) ?? RETRY_MS);
    }
    return null;
  }

  async #pay(checkoutUrl: string): Promise<boolean> {
    const visit = await enterCard(checkoutUrl, CARD);
    return visit.status < 400;
  }

  /** Null: still unknown when patience ended. */
  async #untilDecided(
    method: string,
    path: string,
    body: object,
    idempotencyKey: string = randomUUID(),
  ): Promise<Reply | null> {
    const { apiKey } = this.#self;
    let reply: Reply | null = null;
    for (const start = performance.now(); performance.now() - start < PATIENCE_MS; ) {
      reply = await this.#market.caller.ask(method, path, { apiKey, body, idempotencyKey });
      const waitMs = waitMsOf(reply);
      if (waitMs === null) return reply;
      if (reply !== null) this.#count(`asked again: ${reply.body.code}`);
      await pause(waitMs);
    }
    const last = reply === null ? 'no answer' : `${reply.status} ${reply.text.slice(0, 300)}`;
    this.#market.caller.note(`${method} ${path}: undecided for ${PATIENCE_MS / 1000} s, at last ${last}`);
    return null;
  }

  async #expect(method: string, path: string, asking: object, statuses: number[]): Promise<Reply | null> {
    const reply = await this.#market.caller.ask(method, path, { apiKey: this.#self.apiKey, ...asking });
    if (reply === null || reply.status === 503) return null;
    if (!statuses.includes(reply.status)) this.#note(`${method} ${path}`, reply);
    return reply;
  }

  #note(what: string, { status, text }: Reply): void {
    this.#market.caller.note(`${what}: ${status} ${text.slice(0, 300)}`);
  }

  #count(what: string): void {
    this.#market.counts[what] = (this.#market.counts[what] ?? 0) + 1;
  }
}

/** How long a client waits before it sends the same request again; null: what it was told is final. */
function waitMsOf(reply: Reply | null): number | null {
  if (reply === null) return RETRY_MS;
  const { status, body, retryAfterMs } = reply;
  if (UNDECIDED_CODES.includes(body.code)) return RETRY_MS;
  if ((status !== 429 && status !== 503) || body.retryable === false) return null;
  if (retryAfterMs === null || retryAfterMs > LONGEST_WAIT_MS) return null;
  return Math.max(retryAfterMs, RETRY_MS);
}
