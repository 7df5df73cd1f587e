import type { CheckoutRequest, CheckoutSession, SavedCard } from '../../kernel/ports/card-processor.ts';
import { CHARGE_LIMITS, type FakeCardBooks, refused, type TestCardKind } from './fake-card-books.ts';
import type { FakeCardLine } from './fake-card-line.ts';

type Open = { -readonly [K in keyof CheckoutSession]: CheckoutSession[K] } & {
  readonly request: CheckoutRequest;
};

interface Setup {
  readonly agentId: string;
  readonly customerId: string;
  card: SavedCard | null;
}

const [MIN_OPEN_MS, MAX_OPEN_MS] = [30 * 60_000, 24 * 3600_000];

/** The fake's hosted pages, and the cards that people saved there. */
export class FakeCardPages {
  readonly #checkouts = new Map<string, Open>();
  readonly #setups = new Map<string, Setup>();
  readonly #cards = new Map<string, { kind: TestCardKind; customerId: string }>();
  readonly #line: FakeCardLine;
  readonly #books: FakeCardBooks;

  constructor(line: FakeCardLine, books: FakeCardBooks) {
    this.#line = line;
    this.#books = books;
  }

  open(request: CheckoutRequest, nowMs: number): CheckoutSession {
    const openMs = request.expiresAtMs - nowMs;
    if (openMs < MIN_OPEN_MS || openMs > MAX_OPEN_MS) throw refused('expiry of a checkout');
    checkAmount(request.amountCents);
    const { amountCents, reference } = request;
    const sessionId = this.#line.newId('cs');
    const url = `https://checkout.test/${sessionId}`;
    const session: CheckoutSession = {
      sessionId,
      url,
      status: 'open',
      paymentId: null,
      amountCents,
      reference,
    };
    this.#checkouts.set(sessionId, { ...session, request });
    return session;
  }

  see(sessionId: string, nowMs: number): CheckoutSession {
    const { request, ...session } = this.#checkout(sessionId, nowMs);
    return session;
  }

  /** Where whoever paid is sent. */
  returnUrlOf(sessionId: string, nowMs: number): string {
    return this.#checkout(sessionId, nowMs).request.successUrl;
  }

  close(sessionId: string, nowMs: number): CheckoutSession {
    const checkout = this.#checkout(sessionId, nowMs);
    if (checkout.status === 'open') this.#expire(checkout);
    return this.see(sessionId, nowMs);
  }

  /** Closes what nobody paid in time. */
  passTime(nowMs: number): void {
    for (const sessionId of this.#checkouts.keys()) this.#checkout(sessionId, nowMs);
  }

  pay(sessionId: string, card: TestCardKind, nowMs: number): boolean {
    const checkout = this.#checkout(sessionId, nowMs);
    if (checkout.status !== 'open' || card.startsWith('declined')) return false;
    const { paymentId } = this.#books.charge(checkout.request, card, nowMs);
    Object.assign(checkout, { status: 'complete', url: null, paymentId });
    this.#line.tell({ kind: 'payment', paymentId });
    this.#line.tell({ kind: 'checkout', sessionId });
    return true;
  }

  openSetup(setup: Omit<Setup, 'card'>): { sessionId: string; url: string } {
    const sessionId = this.#line.newId('cs');
    this.#setups.set(sessionId, { ...setup, card: null });
    return { sessionId, url: `https://checkout.test/${sessionId}` };
  }

  seeSetup(sessionId: string): { agentId: string; card: SavedCard } | null {
    const setup = this.#setups.get(sessionId);
    if (!setup) throw refused(`no session ${sessionId}`);
    return setup.card && { agentId: setup.agentId, card: setup.card };
  }

  save(sessionId: string, kind: TestCardKind, fingerprint: string = this.#line.newId('fp')): boolean {
    const setup = this.#setups.get(sessionId);
    if (!setup || setup.card || kind === 'declined') return false;
    const paymentMethodId = this.#line.newId('pm');
    setup.card = { paymentMethodId, brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034, fingerprint };
    this.#cards.set(paymentMethodId, { kind, customerId: setup.customerId });
    this.#line.tell({ kind: 'setup', sessionId });
    return true;
  }

  /** What a saved card of this customer does; null where there is none. */
  savedKind(customerId: string, paymentMethodId: string): TestCardKind | null {
    const card = this.#cards.get(paymentMethodId);
    return card?.customerId === customerId ? card.kind : null;
  }

  #checkout(sessionId: string, nowMs: number): Open {
    const checkout = this.#checkouts.get(sessionId);
    if (!checkout) throw refused(`no session ${sessionId}`);
    if (checkout.status === 'open' && checkout.request.expiresAtMs <= nowMs) this.#expire(checkout);
    return checkout;
  }

  #expire(checkout: Open): void {
    Object.assign(checkout, { status: 'expired', url: null });
    this.#line.tell({ kind: 'checkout', sessionId: checkout.sessionId });
  }
}

export function checkAmount(amountCents: number): void {
  const { minCents, maxCents } = CHARGE_LIMITS;
  if (!Number.isSafeInteger(amountCents) || amountCents < minCents || amountCents > maxCents)
    throw refused(`amount of ${amountCents} cents`);
}
