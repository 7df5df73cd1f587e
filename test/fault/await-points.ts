import type { TestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import type { FakeCardProcessor } from '@agent-marketplace/core/testing/payments/fake-card-processor.ts';
import { memoryBank } from '@agent-marketplace/core/testing/rails/memory/memory-bank.ts';
import { Party } from './party.ts';

// What a request or a job waits for is where it may be cut off. Here every such point is found by letting the
// work run once and counting, and is then broken, one after the other.

type Fault = 'lose_request' | 'lose_reply' | undefined;
export type FaultByName = (name: string) => Fault;
type Answer = (call: number) => Fault | Promise<Fault>;

/** Every call to the outside in one line: both databases, the card processor, sellers, the queue. */
export class Line {
  /** What was called since it was last watched, in order. */
  calls: string[] = [];
  #answer: Answer = () => undefined;
  #isWatched = false;
  #meanwhile: FaultByName = () => undefined;
  readonly #market: TestMarketplace;

  constructor(market: TestMarketplace, cards: FakeCardProcessor) {
    this.#market = market;
    const next = (name: string): Fault | Promise<Fault> => {
      const party = Party.current();
      if (party) return party.waitBefore(name);
      if (!this.#isWatched) return this.#meanwhile(name);
      this.calls.push(name);
      return this.#answer(this.calls.length - 1);
    };
    market.market.fault = (sql) => next(`database: ${nameOf(sql)}`);
    market.search.fault = (sql) => next(`search: ${nameOf(sql)}`);
    cards.fault = ({ method }) => next(`card processor: ${method}`);
    memoryBank.reset();
    memoryBank.fault = (method) => next(`memory bank: ${method}`);
    market.sellerEndpoint.fault = () => next('seller');
    market.jobs.fault = () => next('queue');
  }

  /** Does the work, and what it leaves to the background, with these answers to its calls. */
  async watch(work: () => Promise<unknown>, answer: Answer = () => undefined): Promise<string[]> {
    this.calls = [];
    this.#answer = answer;
    this.#isWatched = true;
    try {
      await work();
      await this.#market.background.settled();
    } finally {
      this.#isWatched = false;
    }
    return this.calls;
  }

  /** What is done meanwhile by somebody else is not counted, and breaks by itself if at all. */
  async meanwhile(work: () => Promise<unknown>, fault: FaultByName = () => undefined): Promise<void> {
    this.#isWatched = false;
    this.#meanwhile = fault;
    try {
      await work();
    } finally {
      this.#meanwhile = () => undefined;
      this.#isWatched = true;
    }
  }
}

/** The first write of a round trip, or what it reads. */
function nameOf(sql: readonly string[]): string {
  const words = sql.map((one) => /^\s*(insert|update|delete)\b.*?"(\w+)"/is.exec(one)).find((hit) => hit);
  if (words) return `${words[1]?.toLowerCase()} ${words[2]}`;
  const tables = sql.flatMap((one) => /\bfrom\s+"(\w+)"/i.exec(one)?.[1] ?? []);
  return `read ${[...new Set(tables)].join(', ')}`;
}

/** How one point breaks. */
export interface Break {
  readonly at: number;
  readonly point: string;
  readonly fault: 'lose_request' | 'lose_reply';
  /** `twice`: the next call breaks as well. `for_good`: nothing gets through any more, the process is dead. */
  readonly lasts: 'once' | 'twice' | 'for_good';
  readonly title: string;
}

const WHEN = { lose_request: 'before', lose_reply: 'after' } as const;
const LASTS = { once: 'once', twice: 'and at the next', for_good: 'and it dies' } as const;

/** What is looked up because a reply was lost may be lost as well: that is what `twice` is for. */
const WAYS: readonly Pick<Break, 'fault' | 'lasts'>[] = [
  { fault: 'lose_request', lasts: 'once' },
  { fault: 'lose_request', lasts: 'for_good' },
  { fault: 'lose_reply', lasts: 'once' },
  { fault: 'lose_reply', lasts: 'twice' },
  { fault: 'lose_reply', lasts: 'for_good' },
];

export function breaksOf(points: readonly string[], lasting: readonly Break['lasts'][]): Break[] {
  const ways = WAYS.filter(({ lasts }) => lasting.includes(lasts));
  return points.flatMap((point, at) =>
    ways.map(({ fault, lasts }) => {
      const title = `${WHEN[fault]} "${point}" (${at + 1} of ${points.length}) ${LASTS[lasts]}`;
      return { at, point, fault, lasts, title };
    }),
  );
}

export function answersOf({ at, fault, lasts }: Break): Answer {
  return (call) => {
    if (call === at || (lasts === 'twice' && call === at + 1)) return fault;
    return lasts === 'for_good' && call > at ? 'lose_request' : undefined;
  };
}
