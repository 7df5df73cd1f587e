import type { MarketplaceClient, Operations, PendingPayment } from '@agent-marketplace/sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refusalWords, UNRESOLVED_CODES } from '../../../order/refusal-words.ts';
import {
  forgetEndedOrders,
  isPastValidity,
  type KeptOrder,
  keepOrder,
  keptOrder,
  OrderNotKept,
} from './kept-orders.ts';
import { payInUsdc } from './pay-in-usdc.ts';

const DAY_MS = 86_400_000;
const VALID_BEFORE = 1_800_000_000;

const payment: PendingPayment = {
  listingId: 'l-1',
  query: { port: 'Brest' },
  header: { name: 'PAYMENT-SIGNATURE', value: 'signed' },
  amountCents: 250,
  payer: '0x11',
  payTo: '0x22',
  chainId: 8453,
  asset: '0x33',
  nonce: '0x44',
  validBefore: VALID_BEFORE,
};
const order: KeptOrder = {
  listingId: 'l-1',
  way: 'usdc',
  query: { port: 'Brest' },
  priceCents: 250,
  email: '',
  idempotencyKey: 'k',
  payment,
};

/** As browsers have it: the names of what it holds are its own keys. */
function storage(): Storage {
  const methods = {
    getItem: (name: string) => (Object.hasOwn(held, name) ? (held[name] ?? null) : null),
    setItem(name: string, value: string) {
      held[name] = value;
    },
    removeItem(name: string) {
      delete held[name];
    },
  };
  const held: Record<string, string> = Object.create(methods);
  return held as unknown as Storage;
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
});
afterEach(() => vi.unstubAllGlobals());

describe('an order that is kept', () => {
  test('with a signed payment leaves the browser thirty days after its validity; others stay', () => {
    keepOrder(order);
    keepOrder({ ...order, listingId: 'l-2', payment: null });
    localStorage.setItem('else', 'of another page');
    const ended = VALID_BEFORE * 1000;
    expect([ended - 1, ended].map((at) => isPastValidity(order, at))).toEqual([false, true]);
    forgetEndedOrders(ended + 30 * DAY_MS - 1);
    expect(keptOrder('l-1')).toEqual(order);
    forgetEndedOrders(ended + 30 * DAY_MS);
    expect(keptOrder('l-1')).toBeNull();
    expect(keptOrder('l-2')?.listingId).toBe('l-2');
    expect(localStorage.getItem('else')).toBe('of another page');
  });

  test('where the browser refuses storage: nothing is sent, nobody is asked to sign, and the words say so', async () => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, {
        configurable: true,
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    expect(keptOrder('l-1')).toBeNull();
    expect(() => keepOrder(order)).toThrow(OrderNotKept);
    const unsigned = payInUsdc({} as MarketplaceClient, { ...order, payment: null }, () => undefined, null);
    const { facts } = await unsigned.then(
      () => Promise.reject(new Error('It was paid.')),
      (error: OrderNotKept) => error,
    );
    expect(UNRESOLVED_CODES).not.toContain(facts.code);
    expect(refusalWords(facts, false)).toMatchObject({
      what: expect.stringContaining('nothing was sent'),
      money: 'Nothing was charged.',
    });
  });

  test('a wrong answer to its payment: the order stays unresolved, and no more is said of the money than is known', async () => {
    const answer = { listingId: 'l-9', amountCents: 250 } as Operations['queryListing']['output'];
    const client = { queryListing: async () => answer } as unknown as MarketplaceClient;
    const { facts } = await payInUsdc(client, order, () => undefined, null).then(
      () => Promise.reject(new Error('It was taken for good.')),
      (error: OrderNotKept) => error,
    );
    expect(facts).toMatchObject({ code: 'answer_not_as_paid', charged: null });
    expect(UNRESOLVED_CODES).toContain(facts.code);
    expect(refusalWords(facts, false).money).toBe(
      'It may have been charged, once at most. The signed payment is kept here.',
    );
  });
});
