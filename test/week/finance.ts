import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import type { QueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import type { Tally } from './tally.ts';

/** Currencies drift between a charge and its dispute. */
const DRIFTS = [1, 1, 0.97, 1.03, 0.5];

/** What happens at the card processor without the marketplace: its dashboard, the banks, its webhooks. */
export class Finance {
  readonly #query: QueryMarketplace;
  readonly #tally: Tally;

  constructor(query: QueryMarketplace, tally: Tally) {
    this.#query = query;
    this.#tally = tally;
  }

  get #cards() {
    return this.#query.sales.cards;
  }

  /** A refund, capture, cancel or transfer reversal by hand, or a movement that nobody explains. */
  useDashboard(): void {
    const { random } = this.#tally;
    const { dashboard, payments, transfers } = this.#cards;
    if (payments.length === 0) return;
    const { paymentId, amountCents } = random.pick(payments);
    const [what, act] = random.pick<[string, () => unknown]>([
      ['refund', () => dashboard.refund(paymentId, amountCents)],
      ['refund of a part', () => dashboard.refund(paymentId, Math.ceil(amountCents / 3))],
      ['capture', () => dashboard.capture(paymentId)],
      ['cancel', () => dashboard.cancel(paymentId)],
      [
        'transfer reversal',
        () => {
          const sent = random.pick(transfers);
          dashboard.reverseTransfer(sent.transferId, sent.amountCents);
        },
      ],
      [
        'reversal of a part of a transfer',
        () => {
          const sent = random.pick(transfers);
          dashboard.reverseTransfer(sent.transferId, Math.ceil(sent.amountCents / 4));
        },
      ],
      ['unknown movement', () => dashboard.adjust(random.pick([-250, 125]))],
    ]);
    this.#try(`dashboard: ${what}`, act);
  }

  /** Refunds of banks that take their time begin now, or all that began end. */
  changeRefunds(): void {
    const { dashboard, payments } = this.#cards;
    dashboard.setRefundStatus(this.#tally.random.pick(['succeeded', 'pending'] as const));
    for (const { paymentId } of payments)
      for (const refundId of dashboard.refundsOf(paymentId))
        if (this.#tally.random.chance(0.5))
          this.#try('refund decided late', () => dashboard.endRefund(refundId, 'succeeded'));
  }

  endRefunds(): void {
    const { dashboard, payments } = this.#cards;
    dashboard.setRefundStatus('succeeded');
    for (const { paymentId } of payments)
      for (const refundId of dashboard.refundsOf(paymentId)) dashboard.endRefund(refundId, 'succeeded');
  }

  chargeBack(): void {
    const { random } = this.#tally;
    const { paymentId, capturedCents, refundedCents } = random.pick(this.#cards.payments);
    const left = capturedCents - refundedCents;
    const amountCents = Math.round(left * random.pick(DRIFTS));
    this.#try(amountCents === left ? 'chargeback' : 'chargeback of another amount', () =>
      this.#cards.disputePayment(paymentId, { amountCents }),
    );
  }

  decideChargebacks(share: number): void {
    const { random } = this.#tally;
    for (const { disputeId, status } of this.#cards.disputes) {
      if (status !== 'open' || !random.chance(share)) continue;
      const outcome = random.pick(['won', 'lost'] as const);
      this.#cards.closeDispute(disputeId, outcome);
      this.#tally.count(`chargeback ${outcome}`);
    }
  }

  /** The platform appeals what it lost, and a bank decides against it after all where it had won. */
  appealChargebacks(share: number): void {
    const { random } = this.#tally;
    for (const { disputeId, status, reference } of this.#cards.disputes) {
      if (status === 'open' || !random.chance(share)) continue;
      // What was refunded meanwhile a bank takes no more.
      const refunded = this.#cards.payments.filter(({ refundedCents }) => refundedCents > 0);
      if (refunded.some((one) => one.reference?.id === reference?.id)) continue;
      if (status === 'lost')
        this.#try('chargeback appealed', () => this.#cards.dashboard.appealDispute(disputeId));
      else this.#try('chargeback won reversed', () => this.#cards.closeDispute(disputeId, 'lost'));
    }
  }

  /** Webhooks come twice, in any order, or never. */
  async tellMarketplace(lostShare: number): Promise<void> {
    const { random } = this.#tally;
    const sent = (await this.#cards.takeWebhooks()).flatMap((one) => {
      if (random.chance(lostShare)) {
        this.#tally.count('webhooks lost');
        return [];
      }
      return random.chance(0.2) ? [one, one] : [one];
    });
    for (const { rawBody } of random.shuffle(sent)) {
      const { signatureHeader } = await this.#cards.repeatWebhook(rawBody);
      this.#tally.count('webhooks');
      await cardWebhook.take(this.#query.market.newPorts(), rawBody, signatureHeader).catch(() => {});
    }
  }

  /** What the processor refuses cannot be done by hand either. */
  #try(what: string, act: () => unknown): void {
    try {
      act();
      this.#tally.count(what);
    } catch {}
  }
}
