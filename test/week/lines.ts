import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { QueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import type { CardFault } from '@agent-marketplace/core/testing/payments/fake-card-line.ts';
import type { Random } from './random.ts';
import type { Tally } from './tally.ts';

/** Of all calls to the outside, so many are lost, half of them before they took effect. */
const FAULTS = 0.05;
const ANSWER = sellerOf({ answer: 42 });

/** The lines from a marketplace to everything outside its code: databases, queue, processor, chain, sellers. */
export class Lines {
  readonly #query: QueryMarketplace;
  readonly #tally: Tally;
  /** Of its own: how often the marketplace calls must not change what people do. */
  readonly #random: Random;

  constructor(query: QueryMarketplace, tally: Tally, random: Random) {
    this.#query = query;
    this.#tally = tally;
    this.#random = random;
  }

  break(): void {
    const random = this.#random;
    const faultOf = (line: string) => (): CardFault => {
      this.#tally.count(`calls to ${line}`);
      if (!random.chance(FAULTS)) return undefined;
      this.#tally.count(`calls to ${line} lost`);
      return random.pick(['lose_request', 'lose_reply'] as const);
    };
    this.#set(faultOf);
    this.#query.market.sellerEndpoint.script = (request) =>
      random.chance(FAULTS) ? replied('Down.', 503) : ANSWER(request);
  }

  mend(): void {
    this.#set(() => () => undefined);
    this.#query.market.sellerEndpoint.script = ANSWER;
  }

  /** Whoever acts outside the marketplace meanwhile does so undisturbed. */
  async undisturbed<T>(work: () => Promise<T>): Promise<T> {
    this.mend();
    try {
      return await work();
    } finally {
      this.break();
    }
  }

  #set(faultOf: (line: string) => () => CardFault): void {
    const { market, chain, claims, sales } = this.#query;
    sales.cards.fault = faultOf('the card processor');
    chain.fault = faultOf('the chain');
    claims.fault = faultOf('claims');
    market.sellerEndpoint.fault = faultOf('agents');
    market.market.fault = faultOf('the database');
    market.search.fault = faultOf('the search database');
    market.jobs.fault = faultOf('the queue');
  }
}
