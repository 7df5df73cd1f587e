import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import type {
  PaymentHeaders,
  QueryMarketplace,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
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

export interface Offered {
  readonly id: string;
  readonly seller: RegisteredAgent;
}

/** What is for sale. */
export interface Shelf {
  readonly listings: readonly Offered[];
  /** Each is sold once, to whoever's offer is accepted. */
  readonly exclusive: Offered[];
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
  readonly #offers: {
    readonly id: string;
    readonly buyer: RegisteredAgent;
    readonly seller: RegisteredAgent;
  }[] = [];
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
    const listing = method === 'free' ? this.#shelf.free : random.pick(this.#shelf.listings).id;
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
    await this.#payOnPage(id, buyer, checkoutUrl);
  }

  /** Several at once, of which most are collected. */
  async buyInBulk(): Promise<void> {
    const { random } = this.#tally;
    const buyer = random.pick(this.#buyers);
    const chosen = [1, 2, 3].map(() => random.pick(this.#shelf.listings).id);
    const body = { listing_ids: chosen, payment_method: random.pick(['wallet', 'card'] as const) };
    const answer = await this.#query.sales.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, body);
    const { items = [] } = answer.body as unknown as { items?: readonly { purchaseId: string | null }[] };
    this.#tally.count(answer.status < 300 ? 'bulk' : `bulk refused: ${answer.body.code}`);
    for (const { purchaseId } of items) {
      if (purchaseId === null) continue;
      this.bought.push({ id: purchaseId, buyer });
      if (random.chance(0.8)) await this.#query.sales.read(purchaseId, buyer);
    }
  }

  async makeOffer(): Promise<void> {
    const { random } = this.#tally;
    const buyer = random.pick(this.#buyers);
    const chosen = this.#shelf.exclusive.pop();
    if (!chosen) return;
    const path = `/marketplace/listings/${chosen.id}/offers`;
    const amountCents = random.pick([250, 1850, 4500]);
    const { status, body } = await this.#query.sales.request('POST', path, buyer.apiKey, { amountCents });
    if (status >= 300) return this.#tally.count(`offer refused: ${body.code}`);
    this.#tally.count('offers');
    this.#offers.push({ id: body.id, buyer, seller: chosen.seller });
  }

  /** The sellers answer what was offered, and the buyers pay for what was accepted. */
  async endOffers(): Promise<void> {
    const { random } = this.#tally;
    for (const { id, buyer, seller } of this.#offers.splice(0)) {
      const answer = random.chance(0.8) ? 'accept' : 'decline';
      const { status } = await this.#query.sales.request(
        'POST',
        `/sell/offers/${id}/${answer}`,
        seller.apiKey,
        {},
      );
      this.#tally.count(`offers: ${answer} ${status < 300 ? 'done' : 'refused'}`);
      const { body } = await this.#query.sales.request('GET', `/marketplace/offers/${id}`, buyer.apiKey);
      const { purchaseId = null } = body as unknown as { purchaseId?: string | null };
      if (purchaseId === null) continue;
      this.bought.push({ id: purchaseId, buyer });
      const read = await this.#query.sales.read(purchaseId, buyer);
      await this.#payOnPage(purchaseId, buyer, read.body.checkoutUrl);
    }
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

  /** Some never pay, and some who paid never come back. */
  async #payOnPage(
    id: string,
    buyer: RegisteredAgent,
    checkoutUrl: string | null | undefined,
  ): Promise<void> {
    const { random } = this.#tally;
    if (!checkoutUrl || random.chance(0.2)) return;
    const card = random.pick(['good', 'available_at_once', 'declined'] as const);
    this.#query.sales.cards.payCheckout(sessionOf(checkoutUrl), card);
    if (random.chance(0.7)) await this.#query.sales.read(id, buyer);
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
