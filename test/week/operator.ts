import type { QueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { PlatformBank } from '../fault/oracle/platform-bank.ts';
import type { Tally } from './tally.ts';

const ADMIN = { 'x-mkt-admin': TEST_ADMIN_SECRET };
const REASON = 'Overdue.';
const IGNORED = 0.2;

type Party = 'seller' | 'buyer';

interface Overdue {
  readonly kind: string;
  readonly mendWith: readonly string[];
  readonly subjectId: string;
}

/** What an operator does with each operation that the list of overdue money names. */
const MENDING: Readonly<Record<string, (id: string, party: Party) => readonly [path: string, body: object]>> =
  {
    retryPurchase: (id) => [`/admin/purchases/${id}/retry`, { reason: REASON }],
    refundPurchase: (id) => [`/admin/purchases/${id}/refund`, { reason: REASON }],
    liftHold: (id) => [`/admin/purchases/${id}/hold/lift`, { reason: REASON }],
    markPaidElsewhere: (id, party) => [
      `/admin/purchases/${id}/paid-elsewhere`,
      { party, evidence: { text: `Bank transfer for ${id}.` }, reason: REASON },
    ],
    retryPayout: (id) => [`/admin/payouts/${id}/retry`, { reason: REASON }],
    settleClaim: (id) => [`/admin/chargebacks/${id}/settlement`, { account: 'adjustments', reason: REASON }],
    retryTopUp: (id) => [`/admin/top-ups/${id}/retry`, { reason: REASON }],
  };

/** Whoever runs the marketplace, by its published operations alone. */
export class Operator {
  readonly bank = new PlatformBank();
  /** Disputes that it knows, and whether it leaves them alone. */
  readonly #isIgnored = new Map<string, boolean>();
  readonly #query: QueryMarketplace;
  readonly #tally: Tally;

  constructor(query: QueryMarketplace, tally: Tally) {
    this.#query = query;
    this.#tally = tally;
  }

  /** Decides so many of those that are open. A few it leaves alone until the very last: most end by themselves before. */
  async decideDisputes(share: number, { isLast = false } = {}): Promise<void> {
    const { random } = this.#tally;
    const { disputes = [] } = await this.#read<{ disputes?: { purchaseId: string }[] }>('/admin/disputes');
    for (const { purchaseId } of disputes) {
      if (!this.#isIgnored.has(purchaseId)) this.#isIgnored.set(purchaseId, random.chance(IGNORED));
      if ((this.#isIgnored.get(purchaseId) && !isLast) || !random.chance(share)) continue;
      const decision = random.pick(['refund', 'release']);
      await this.#do(`dispute decided: ${decision}`, `/admin/disputes/${purchaseId}/decision`, { decision });
    }
  }

  async hold(purchaseId: string): Promise<void> {
    await this.#do('hold', `/admin/purchases/${purchaseId}/hold`, { reason: 'To be looked at.' });
  }

  async letBuyAgain(agents: Set<string>): Promise<void> {
    for (const agentId of agents) {
      const path = `/admin/agents/${agentId}/purchases`;
      const { isDone } = await this.#do('limit lifted', path, { limited: false });
      if (isDone) agents.delete(agentId);
    }
  }

  /** What nobody can explain of the processor's balance is the platform's, and posted as such. */
  async explainBalance(): Promise<void> {
    const { findings } = await this.reconcile();
    for (const { check, actualCents } of findings) {
      if (check !== 'unexplained') continue;
      await this.#do('adjustment', '/admin/ledger/adjustments', {
        account: 'unexplained',
        counterAccount: 'adjustments',
        amountCents: actualCents,
        reason: 'Movements by hand.',
        reference: 'The week',
      });
    }
  }

  async overdue(): Promise<Overdue[]> {
    const found: Overdue[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { overdue: Overdue[]; nextCursor: string | null } = await this.#read(
        `/admin/overdue?limit=100${cursor && `&cursor=${cursor}`}`,
      );
      found.push(...page.overdue);
      cursor = page.nextCursor;
    }
    return found;
  }

  /** One turn at all that is overdue: first the operation that the list names first, then any of the others. */
  async mendOverdue(turn: number): Promise<void> {
    for (const { kind, mendWith, subjectId } of await this.overdue()) {
      const known = mendWith.filter((name) => name in MENDING);
      const operation = this.#tally.random.pick(
        turn === 0 || known.length < 2 ? known.slice(0, 1) : known.slice(1),
      );
      // A refund that no rail makes is the buyer's.
      const party: Party = kind === 'refund_failed' ? 'buyer' : 'seller';
      const [path, body] = (MENDING[operation] as (typeof MENDING)[string])(subjectId, party);
      const { isDone, answer } = await this.#do(`overdue ${kind}: ${operation}`, path, body);
      if (isDone && operation === 'markPaidElsewhere') this.bank.pay(subjectId, party, answer.amountCents);
    }
  }

  reconcile(): Promise<{ findings: { check: string; actualCents: number }[]; balances: unknown }> {
    return this.#read('/admin/reconciliation?usdcAddedCents=10000000');
  }

  async #read<T>(path: string): Promise<T> {
    const { body } = await this.#query.sales.request('GET', path, null, undefined, ADMIN);
    return body as T;
  }

  async #do(what: string, path: string, body: object) {
    const { status, body: answer } = await this.#query.sales.request('POST', path, null, body, ADMIN);
    const isDone = status === 200;
    this.#tally.count(isDone ? what : `${what} refused: ${answer.code}`);
    return { isDone, answer };
  }
}
