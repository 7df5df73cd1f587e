import type { Hex } from '@agent-marketplace/core/kernel/ports/chain.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/new-seller.ts';
import type { PaymentHeaders, QueryMarketplace } from '@agent-marketplace/core/testing/query-marketplace.ts';
import { sessionOf } from '@agent-marketplace/core/testing/sales-marketplace.ts';
import type { Lines } from './lines.ts';
import type { Tally } from './tally.ts';

const METHODS = ['wallet', 'card', 'checkout', 'usdc', 'free'] as const;
const CENT = 10_000n;
const WALLET_CENTS = 50_000;
const TOP_UP_CENTS = 5000;
const TRIES = 3;

interface Query {
  readonly payer: Hex;
  readonly headers: PaymentHeaders;
  isShown: boolean;
  /** What it was answered last. */
  answer: string;
}

/** What is for sale. */
export interface Shelf {
  readonly listings: readonly string[];
  readonly free: string;
  readonly queried: string;
  readonly queryCents: number;
}

/** Who buys: agents with wallets and saved cards, people on pages, payers over x402. */
export class Clients {
  readonly bought: { readonly id: string; readonly buyer: RegisteredAgent }[] = [];
  /** Agents that were told that they may not buy. */
  readonly limited = new Set<string>();
  readonly #buyers: RegisteredAgent[] = [];
  readonly #queries: Query[] = [];
  readonly #query: QueryMarketplace;
  readonly #lines: Lines;
  readonly #tally: Tally;
  readonly #shelf: Shelf;

  constructor(query: QueryMarketplace, lines: Lines, tally: Tally, shelf: Shelf) {
    this.#query = query;
    this.#lines = lines;
    this.#tally = tally;
    this.#shelf = shelf;
  }

  async register(count: number): Promise<void> {
    const { sales } = this.#query;
    for (let made = 0; made < count; made += 1) {
      const buyer = await sales.newAgent();
      await sales.fund(buyer, WALLET_CENTS);
      await sales.saveCard(buyer, this.#tally.random.chance(0.5) ? 'good' : 'available_at_once');
      this.#buyers.push(buyer);
    }
  }

  async buy(): Promise<void> {
    const { random } = this.#tally;
    const method = random.pick(METHODS);
    this.#tally.count(method);
    if (method === 'usdc') return this.#buyForUsdc();
    const buyer = random.pick(this.#buyers);
    const listing = method === 'free' ? this.#shelf.free : random.pick(this.#shelf.listings);
    const body = method === 'free' ? {} : { payment_method: method };
    const idempotencyKey = `${method}-${this.#tally.counts[method]}-of-the-week`;
    const answer = await this.#untilAnswered(() =>
      this.#query.sales.buy(listing, buyer, { body, idempotencyKey }),
    );
    if (answer.status >= 300) {
      if (answer.body.code === 'buyer_limited') this.limited.add(buyer.id);
      return this.#tally.count(`${method} refused: ${answer.body.code}`);
    }
    this.#tally.count(`${method} sold or opened`);
    const { id, checkoutUrl } = answer.body;
    this.bought.push({ id, buyer });
    if (!checkoutUrl || random.chance(0.2)) return;
    const card = random.pick(['good', 'available_at_once', 'declined'] as const);
    this.#query.sales.cards.payCheckout(sessionOf(checkoutUrl), card);
    if (random.chance(0.7)) await this.#query.sales.read(id, buyer);
  }

  /** The page of a top-up is paid, and nobody waits for the marketplace to see it. */
  async topUp(): Promise<void> {
    const buyer = this.#tally.random.pick(this.#buyers);
    const { status, body } = await this.#query.sales.request('POST', '/wallet/fund', buyer.apiKey, {
      amount_cents: TOP_UP_CENTS,
    });
    if (status >= 300) return this.#tally.count(`top-up refused: ${body.code}`);
    this.#tally.count('top-ups');
    this.#query.sales.cards.payCheckout(sessionOf(body.checkoutUrl));
  }

  async complain(): Promise<void> {
    if (this.bought.length === 0) return;
    const { id, buyer } = this.#tally.random.pick(this.bought);
    const path = `/marketplace/purchases/${id}/dispute`;
    const { status } = await this.#query.sales.request('POST', path, buyer.apiKey, { reason: 'Wrong.' });
    if (status === 200) this.#tally.count('disputes');
  }

  /** Whoever paid over x402 and was not answered sends the same payment again, as the documents say. */
  async resendQueries(): Promise<void> {
    for (const query of this.#queries) if (!query.isShown) await this.#resend(query);
  }

  /**
   * On chain: whoever was shown data has paid for it once, and has it back whole if at all, as where finance took the
   * seller's money back and the operator decided for the buyer. Whoever was not shown any has its money.
   */
  judgeQueries(): string[] {
    const { chain } = this.#query;
    const { queryCents } = this.#shelf;
    return this.#queries.flatMap(({ payer, isShown, answer }) => {
      const moved = chain.transfers.filter(({ from, to }) => [from, to].some((one) => isSame(one, payer)));
      const paid = moved.filter(({ from }) => isSame(from, payer)).length;
      const left = Number(chain.balanceOf(payer) / CENT);
      const isWhole = left === (moved.length > paid ? queryCents : (1 - paid) * queryCents);
      const isRight = isWhole && (isShown ? paid === 1 : left === queryCents);
      if (isRight) return [];
      return [`${payer}: data shown: ${isShown}, ${paid} payments, ${left} cents left, last told ${answer}`];
    });
  }

  async #buyForUsdc(): Promise<void> {
    const { queried, queryCents } = this.#shelf;
    const payer = this.#query.newPayer(BigInt(queryCents) * CENT);
    const headers = await this.#lines.undisturbed(() => this.#query.pay(payer, queried, 2));
    const record = { payer: payer.address.toLowerCase() as Hex, headers, isShown: false, answer: '' };
    this.#queries.push(record);
    for (let tries = 0; tries < TRIES && !record.isShown; tries += 1) {
      await this.#resend(record);
      this.#query.market.clock.advance(2000);
    }
    if (record.isShown) this.#tally.count('usdc sold or opened');
  }

  async #resend(record: Query): Promise<void> {
    const { status, body } = await this.#query.query(this.#shelf.queried, record.headers);
    record.isShown = status === 200 && body.content !== null;
    record.answer = `${status} ${body.code ?? body.status}`;
  }

  /** Most who get no answer ask again with the same key. */
  async #untilAnswered<A extends { readonly status: number }>(ask: () => Promise<A>): Promise<A> {
    let answer = await ask();
    for (let tries = 1; tries < TRIES && answer.status >= 500; tries += 1) {
      if (this.#tally.random.chance(0.2)) break;
      answer = await ask();
    }
    return answer;
  }
}

const isSame = (one: Hex, other: Hex): boolean => one.toLowerCase() === other.toLowerCase();
