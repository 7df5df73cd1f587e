import { beforeAll, expect } from 'vitest';
import {
  type CardProcessor,
  CardProcessorError,
  type CheckoutRequest,
  type SavedCard,
} from '../../kernel/ports/card-processor.ts';
import type { TestCardKind } from '../payments/fake-card-books.ts';

/** A card processor under test, with what people and time do to it from outside. */
export interface CardProcessorUnderTest {
  readonly processor: CardProcessor;
  now(): number;
  /** A card that is saved for off-session charges. */
  savedCard(customerId: string, kind: TestCardKind): Promise<SavedCard>;
  /** Null where nobody can fill in hosted pages or move the clock: Stripe itself. */
  readonly outside: Outside | null;
}

interface Outside {
  /** Whether the card was taken. */
  pay(session: { sessionId: string; url: string | null }, kind: TestCardKind): Promise<boolean>;
  saveCard(setup: { sessionId: string; url: string }, kind: TestCardKind): Promise<boolean>;
  onboard(account: { accountId: string; url: string }, outcome: 'complete' | 'pending'): Promise<void>;
  advance(ms: number): void;
  /** The holder of the card has its bank ask for all of it back, or only ask. Returns the dispute's id. */
  dispute(paymentId: string, terms?: { inquiry?: boolean; amountCents?: number }): string;
  closeDispute(disputeId: string, outcome: 'won' | 'lost'): void;
  readonly dashboard: Dashboard;
  /** Sent since the last time, each as it arrived. */
  takeWebhooks(): Promise<{ rawBody: string; signatureHeader: string }[]>;
}

/** What people do at the processor itself, and what its banks do later. */
interface Dashboard {
  /** How refunds begin from now on. */
  setRefundStatus(status: 'pending' | 'succeeded'): void;
  /** Returns the refund's id. */
  refund(paymentId: string, amountCents: number): string;
  endRefund(refundId: string, status: 'succeeded' | 'failed'): void;
  capture(paymentId: string): void;
  cancel(paymentId: string): void;
  restrictAccount(accountId: string): void;
  closeAccount(accountId: string): void;
  /** The bank of a seller refused what the processor sent there. */
  failPayout(accountId: string): void;
  appealDispute(disputeId: string): void;
  /** What comes to a seller's account from now on is not sent to its bank. */
  keepBalance(accountId: string): void;
  /** How much of it a dollar buys from now on: what comes to accounts in it is converted, and what is taken back. */
  setExchangeRate(currency: string, perDollar: number): void;
  /** Whether anything is sent to accounts of this country, which stay as they are. */
  setCountryOpen(country: string, isOpen: boolean): void;
  reverseTransfer(transferId: string, amountCents: number): void;
  /** To the platform's bank, and from it. */
  payOut(amountCents: number): void;
  fund(amountCents: number): void;
  chargeFee(amountCents: number): void;
  /** A movement of a type that nobody knows. */
  adjust(amountCents: number): void;
}

export const HOUR_MS = 3600_000;
export const DAY_MS = 24 * HOUR_MS;

export type CardTest = ReturnType<typeof cardTest>;

/** What the shared suite does again and again. */
export function cardTest(start: () => Promise<CardProcessorUnderTest>) {
  let subject: CardProcessorUnderTest;
  let ids = 0;
  const run = crypto.randomUUID();
  beforeAll(async () => {
    subject = await start();
  });
  const key = () => `${run}-${++ids}`;
  const reference = () => ({ kind: 'purchase' as const, id: key() });

  const newCustomer = async () => {
    const customer = { agentId: key(), email: 'buyer@example.com' };
    return (await subject.processor.createCustomer(key(), customer)).customerId;
  };

  const savedCharge = async (kind: TestCardKind, capture: 'manual' | 'automatic', amountCents = 1250) => {
    const customerId = await newCustomer();
    const { paymentMethodId } = await subject.savedCard(customerId, kind);
    const description = 'Weather';
    return { reference: reference(), customerId, paymentMethodId, amountCents, description, capture };
  };

  return {
    get processor() {
      return subject.processor;
    },
    get outside() {
      if (!subject.outside) throw new Error('There is nobody outside.');
      return subject.outside;
    },
    now: () => subject.now(),
    /** New each time. */
    key,
    reference,
    newCustomer,
    savedCharge,
    checkout: (rest: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
      reference: reference(),
      amountCents: 1250,
      description: 'Weather of <Oslo> & "Bergen"',
      capture: 'manual',
      customerId: null,
      email: 'buyer@example.com',
      successUrl: 'https://market.example/paid',
      cancelUrl: 'https://market.example/cancelled',
      expiresAtMs: subject.now() + HOUR_MS,
      ...rest,
    }),
    paid: async (capture: 'manual' | 'automatic', kind: TestCardKind = 'good', amountCents?: number) => {
      const charge = await savedCharge(kind, capture, amountCents);
      const outcome = await subject.processor.chargeSaved(key(), charge);
      if (outcome.kind !== 'succeeded') throw new Error(outcome.kind);
      return { ...charge, paymentId: outcome.paymentId };
    },
  };
}

/** A refusal: not worth repeating. */
export async function refuses(call: Promise<unknown>): Promise<void> {
  const error = await call.then(
    (value) => value,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CardProcessorError);
  expect((error as CardProcessorError).retryable).toBe(false);
}
