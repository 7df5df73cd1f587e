import { SERVED_COUNTRIES } from '../../adapters/stripe/served-countries.data.ts';
import type {
  BalanceEntry,
  CaptureOutcome,
  CardDispute,
  CardProcessor,
  ChargeOutcome,
  CheckoutRequest,
  CheckoutSession,
  Payment,
  Refund,
  ReversalOutcome,
  ReversalRequest,
  SavedCharge,
  TransferOutcome,
  TransferRequest,
  WebhookReading,
} from '../../kernel/ports/card-processor.ts';
import type { Clock } from '../../kernel/ports/clock.ts';
import { CHARGE_LIMITS, FakeCardBooks, refused, type TestCardKind } from './fake-card-books.ts';
import { FakeCardDashboard } from './fake-card-dashboard.ts';
import { type DisputeOptions, FakeCardDisputes } from './fake-card-disputes.ts';
import { type CardCall, type CardFault, FakeCardLine } from './fake-card-line.ts';
import { checkAmount, FakeCardPages } from './fake-card-pages.ts';
import { FakeCardPayouts, type FakeTransfer } from './fake-card-payouts.ts';

export type { CardCall, CardFault } from './fake-card-line.ts';

/**
 * A card processor in memory that loses requests and replies on demand. A lost reply is the dangerous
 * case: the caller sees the same error, but the call took effect.
 */
export class FakeCardProcessor implements CardProcessor {
  readonly chargeLimits = CHARGE_LIMITS;
  readonly #now: () => number;
  readonly #line = new FakeCardLine(() => this.#now());
  readonly #books = new FakeCardBooks(this.#line.newId);
  readonly #pages = new FakeCardPages(this.#line, this.#books);
  readonly #customers = new Set<string>();
  readonly #payouts = new FakeCardPayouts(this.#line, this.#books);
  readonly #disputes = new FakeCardDisputes(this.#line, this.#books);

  /** What people do at the processor itself, and what its banks do later. */
  readonly dashboard: FakeCardDashboard;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#now = () => clock.now();
    this.dashboard = new FakeCardDashboard(this.#line, this.#books, this.#payouts, this.#disputes, this.#now);
  }

  /** One card pays from now on; null: another each time. */
  payWith(fingerprint: string | null): void {
    this.#books.nextFingerprint = fingerprint;
  }

  /** How long cards keep money reserved from now on. */
  reserveFor(holder: 'present' | 'offSession', durationMs: number): void {
    this.#books.reservationMs[holder] = durationMs;
  }

  /** All calls in order, lost ones included. */
  get calls(): CardCall[] {
    return this.#line.calls;
  }

  /** May be replaced at any time; asked, and waited for, before each call. */
  set fault(fault: (call: CardCall) => CardFault | Promise<CardFault>) {
    this.#line.fault = fault;
  }

  /** All payments there ever were, as they stand now. */
  get payments(): Payment[] {
    return this.#books.seeAll(this.#now());
  }

  /** All accounts of sellers, in the order in which they were opened. */
  get accountIds(): readonly string[] {
    return this.#payouts.accountIds;
  }

  /** All transfers that were made. */
  get transfers(): readonly FakeTransfer[] {
    return this.#payouts.made;
  }

  /** Every movement of the balance there ever was, in order. */
  get entries(): readonly BalanceEntry[] {
    return this.#books.entries;
  }

  /** All disputes there ever were, as they stand now. */
  get disputes(): readonly CardDispute[] {
    return this.#disputes.all;
  }

  /** The holder of the card has its bank take the money back. Returns the dispute's id. */
  disputePayment(paymentId: string, options: DisputeOptions = {}): string {
    return this.#disputes.open(paymentId, this.#now(), options);
  }

  /** A bank that only asked takes the money now. */
  escalateDispute(disputeId: string): void {
    this.#disputes.escalate(disputeId, this.#now());
  }

  closeDispute(disputeId: string, outcome: 'won' | 'lost'): void {
    this.#disputes.close(disputeId, outcome, this.#now());
  }

  /** What it kept for its services so far. */
  get keptCents(): number {
    return this.#books.keptCents;
  }

  /** Somebody enters a card on the page: whether it was taken. */
  payCheckout(sessionId: string, card: TestCardKind = 'good'): boolean {
    const isPaid = this.#pages.pay(sessionId, card, this.#now());
    const { paymentId } = this.#pages.see(sessionId, this.#now());
    if (isPaid && paymentId !== null) this.#disputeAtOnce(paymentId);
    return isPaid;
  }

  /** The link that whoever paid on the page is sent to. */
  returnUrlOf(sessionId: string): string {
    return this.#pages.returnUrlOf(sessionId, this.#now());
  }

  saveCard(sessionId: string, card: TestCardKind = 'good', fingerprint?: string): boolean {
    return this.#pages.save(sessionId, card, fingerprint);
  }

  /** Somebody fills in what payouts need. */
  onboard(accountId: string, outcome: 'complete' | 'pending' = 'complete'): void {
    this.#payouts.onboard(accountId, outcome);
  }

  /** The signed webhooks that were sent since the last time. */
  takeWebhooks(): Promise<{ rawBody: string; signatureHeader: string }[]> {
    this.#pages.passTime(this.#now());
    return this.#line.takeWebhooks(this.#now());
  }

  /** A webhook that is sent again is signed anew. */
  repeatWebhook(rawBody: string): Promise<{ rawBody: string; signatureHeader: string }> {
    return this.#line.sign(rawBody, this.#now());
  }

  createCustomer(key: string, customer: { agentId: string; email: string | null }) {
    return this.#line.change('createCustomer', key, customer, () => {
      const customerId = this.#line.newId('cus');
      this.#customers.add(customerId);
      return { customerId };
    });
  }

  createCheckout(key: string, request: CheckoutRequest): Promise<CheckoutSession> {
    return this.#line.change('createCheckout', key, request, () => {
      if (request.customerId) this.#checkCustomer(request.customerId);
      return this.#pages.open(request, this.#now());
    });
  }

  getCheckout(sessionId: string): Promise<CheckoutSession> {
    return this.#line.read('getCheckout', () => this.#pages.see(sessionId, this.#now()));
  }

  expireCheckout(key: string, sessionId: string): Promise<CheckoutSession> {
    const work = () => this.#pages.close(sessionId, this.#now());
    return this.#line.change('expireCheckout', key, sessionId, work);
  }

  createSetup(key: string, setup: { customerId: string; agentId: string; returnUrl: string }) {
    return this.#line.change('createSetup', key, setup, () => {
      this.#checkCustomer(setup.customerId);
      return this.#pages.openSetup(setup);
    });
  }

  getSetup(sessionId: string) {
    return this.#line.read('getSetup', () => this.#pages.seeSetup(sessionId));
  }

  chargeSaved(key: string, charge: SavedCharge): Promise<ChargeOutcome> {
    return this.#line.change('chargeSaved', key, charge, (): ChargeOutcome => {
      checkAmount(charge.amountCents);
      this.#checkCustomer(charge.customerId);
      const card = this.#pages.savedKind(charge.customerId, charge.paymentMethodId);
      if (!card) return { kind: 'declined', code: 'resource_missing' };
      if (card === 'asks_holder') return { kind: 'authentication_required' };
      if (card === 'declined_when_charged') return { kind: 'declined', code: 'generic_decline' };
      const { paymentId, captureBeforeMs } = this.#books.charge(charge, card, this.#now(), 'offSession');
      this.#line.tell({ kind: 'payment', paymentId });
      this.#disputeAtOnce(paymentId);
      return {
        kind: 'succeeded',
        paymentId,
        captureBeforeMs: charge.capture === 'manual' ? captureBeforeMs : null,
      };
    });
  }

  getPayment(paymentId: string): Promise<Payment> {
    return this.#line.read('getPayment', () => this.#books.see(paymentId, this.#now()));
  }

  capture(key: string, paymentId: string) {
    return this.#line.change('capture', key, paymentId, (): CaptureOutcome => {
      const payment = this.#books.payment(paymentId, this.#now());
      if (payment.status === 'canceled') return { kind: 'expired' };
      const isFirst = payment.status === 'authorized';
      if (isFirst) this.#books.capture(payment, this.#now());
      this.#line.tell({ kind: 'payment', paymentId });
      const { chargeId, capturedCents } = payment;
      const refundedCents = payment.refundedCents + payment.pendingRefundCents;
      const isDisputed = payment.disputeIds.length > 0;
      if (isFirst) this.#disputeAtOnce(paymentId);
      return { kind: 'captured', chargeId, capturedCents, refundedCents, isDisputed };
    });
  }

  cancel(key: string, paymentId: string): Promise<void> {
    return this.#line.change('cancel', key, paymentId, () => {
      const payment = this.#books.payment(paymentId, this.#now());
      if (payment.status === 'captured') throw refused('cancel of a captured payment');
      payment.status = 'canceled';
      this.#line.tell({ kind: 'payment', paymentId });
    });
  }

  async refund(key: string, refund: { paymentId: string; amountCents: number }): Promise<Refund> {
    const { refundId } = await this.#line.change('refund', key, refund, () => {
      if (this.#disputes.isChargedBack(refund.paymentId)) throw refused('refund of a disputed payment');
      const made = this.#books.refund(refund.paymentId, refund.amountCents, this.#now());
      this.#line.tell({ kind: 'payment', paymentId: refund.paymentId });
      return made;
    });
    return { refundId, status: this.#books.seeRefund(refundId).status };
  }

  getDispute(disputeId: string): Promise<CardDispute> {
    return this.#line.read('getDispute', () => this.#disputes.see(disputeId));
  }

  servesCountry(country: string): boolean {
    return SERVED_COUNTRIES.has(country);
  }

  createAccount(key: string, account: { sellerId: string; country: string; email: string | null }) {
    return this.#line.change('createAccount', key, account, () => {
      if (!this.servesCountry(account.country)) throw refused(`country ${account.country}`);
      return this.#payouts.open(account.country);
    });
  }

  createOnboardingLink(key: string, link: { accountId: string; returnUrl: string; refreshUrl: string }) {
    const work = () => this.#payouts.link(link.accountId);
    return this.#line.change('createOnboardingLink', key, link, work);
  }

  getAccount(accountId: string) {
    return this.#line.read('getAccount', () => this.#payouts.see(accountId));
  }

  transfer(key: string, transfer: TransferRequest): Promise<TransferOutcome> {
    const work = () => this.#payouts.transfer(key, transfer, this.#now());
    return this.#line.change('transfer', key, transfer, work);
  }

  reverseTransfer(key: string, reversal: ReversalRequest): Promise<ReversalOutcome> {
    const work = () => this.#payouts.takeBack(reversal, this.#now());
    return this.#line.change('reverseTransfer', key, reversal, work);
  }

  findTransfer(key: string, purchaseId: string) {
    return this.#line.read('findTransfer', () => this.#payouts.find(key, purchaseId));
  }

  getTransfer(transferId: string) {
    return this.#line.read('getTransfer', () => this.#payouts.seeTransfer(transferId));
  }

  readWebhook(rawBody: string, signatureHeader: string, nowMs: number): Promise<WebhookReading> {
    return this.#line.readWebhook(rawBody, signatureHeader, nowMs);
  }

  listEvents(page: Parameters<CardProcessor['listEvents']>[0]) {
    return this.#line.read('listEvents', () => this.#line.eventsBetween(page));
  }

  getBalance() {
    return this.#line.read('getBalance', () => this.#books.balance(this.#now()));
  }

  listBalanceEntries({ sinceMs, after }: { sinceMs: number; after: string | null }) {
    return this.#line.read('listBalanceEntries', () => this.#books.entriesSince(sinceMs, after));
  }

  #disputeAtOnce(paymentId: string): void {
    const { status, isDisputedAtOnce } = this.#books.payment(paymentId, this.#now());
    if (status === 'captured' && isDisputedAtOnce) this.disputePayment(paymentId);
  }

  #checkCustomer(customerId: string): void {
    if (!this.#customers.has(customerId)) throw refused(`no customer ${customerId}`);
  }
}
