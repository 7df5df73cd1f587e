import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClaimRequest, PaymentClaims } from '../../kernel/ports/payment-claims.ts';
import { FakePaymentClaims } from '../../testing/payments/fake-payment-claims.ts';

const DAY_MS = 24 * 3600_000;
let nth = 0;
const newPayment = () => {
  nth += 1;
  return { payer: `0x${'1'.repeat(40)}`, nonce: `0x${String(nth).padStart(64, '0')}` } as const;
};

/** The suite that the fake and the Durable Object both pass. */
function claimsSuite(open: () => PaymentClaims): void {
  const now = Date.now();
  const request = (holder: string, more: Partial<ClaimRequest> = {}): ClaimRequest => ({
    binding: 'sha256:a',
    holder,
    now,
    until: now + 60_000,
    ...more,
  });

  test('one request at a time holds a payment', async () => {
    const [claims, payment] = [open(), newPayment()];
    expect(await claims.take(payment, request('one'))).toBe('taken');
    expect(await claims.take(payment, request('two'))).toBe('in_use');
    expect(await claims.take(payment, request('one'))).toBe('taken');
    await claims.drop(payment, 'two', true);
    expect(await claims.take(payment, request('two'))).toBe('in_use');
    await claims.drop(payment, 'one', false);
    expect(await claims.take(payment, request('two'))).toBe('taken');
  });

  test('of 50 at once, one', async () => {
    const [claims, payment] = [open(), newPayment()];
    const asked = Array.from({ length: 50 }, (_, n) => claims.take(payment, request(`${n}`)));
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'in_use')).toHaveLength(49);
  });

  test('what it was used for stays, until it is freed or a day is over', async () => {
    const [claims, payment] = [open(), newPayment()];
    const other = (more = {}) => request('two', { binding: 'sha256:b', ...more });
    await claims.take(payment, request('one'));
    expect(await claims.take(payment, other())).toBe('bound_elsewhere');
    await claims.drop(payment, 'one', false);
    expect(await claims.take(payment, other())).toBe('bound_elsewhere');
    expect(await claims.take(payment, other({ now: now + DAY_MS, until: now + DAY_MS + 1 }))).toBe('taken');
    await claims.drop(payment, 'two', true);
    expect(await claims.take(payment, request('one'))).toBe('taken');
  });

  test('whoever died holds it no longer than it said', async () => {
    const [claims, payment] = [open(), newPayment()];
    await claims.take(payment, request('dead'));
    expect(await claims.take(payment, request('next', { now: now + 59_999 }))).toBe('in_use');
    expect(await claims.take(payment, request('next', { now: now + 60_000 }))).toBe('taken');
  });

  test('payments do not meet each other', async () => {
    const claims = open();
    expect(await claims.take(newPayment(), request('one'))).toBe('taken');
    expect(await claims.take(newPayment(), request('two', { binding: 'sha256:b' }))).toBe('taken');
  });
}

describe('the fake', () => claimsSuite(() => new FakePaymentClaims()));

describe('the Durable Object, in workerd', () => {
  let runtime: Miniflare;
  let origin: URL;

  beforeAll(async () => {
    const modules = [
      'durable/payment-claims.ts',
      'durable/payment-claims.do.ts',
      'durable/payment-claim.rules.ts',
    ];
    const sources = [...modules.map((name) => `adapters/${name}`), 'kernel/time.ts'].map((path) => {
      const source = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
      return { type: 'ESModule' as const, path, contents: stripTypeScriptTypes(source) };
    });
    runtime = new Miniflare(
      convertV4MiniflareOptions({
        modules: [{ type: 'ESModule', path: 'index.js', contents: WORKER }, ...sources],
        compatibilityDate: '2026-11-01',
        durableObjects: { CLAIMS: { className: 'PaymentClaimsObject', useSQLite: true } },
      }),
    );
    origin = await runtime.ready;
  });
  afterAll(() => runtime.dispose());

  claimsSuite(() => overHttp(origin));

  test('an object that fails is unavailable, never an exception', async () => {
    const broken = overHttp(origin, 'broken');
    const request = { binding: 'sha256:a', holder: 'one', now: 1, until: 2 };
    expect(await broken.take(newPayment(), request)).toBe('unavailable');
    expect(await broken.drop(newPayment(), 'one', true)).toBeNull();
  });
});

/** Drives the adapter inside workerd, so that calls and answers cross a real RPC boundary. */
const WORKER = `
  import { createPaymentClaims } from './adapters/durable/payment-claims.ts';
  export { PaymentClaimsObject } from './adapters/durable/payment-claims.do.ts';
  const broken = { getByName() { throw new Error('overloaded'); } };
  export default {
    async fetch(request, env) {
      const [namespace, method, ...args] = await request.json();
      const claims = createPaymentClaims(namespace === 'broken' ? broken : env.CLAIMS);
      return Response.json((await claims[method](...args)) ?? null);
    },
  };
`;

function overHttp(origin: URL, namespace = 'real'): PaymentClaims {
  async function call(method: string, args: unknown[]) {
    const body = JSON.stringify([namespace, method, ...args]);
    const response = await fetch(origin, { method: 'POST', body });
    expect(response.status).toBe(200);
    return response.json();
  }
  return {
    take: (...args) => call('take', args) as ReturnType<PaymentClaims['take']>,
    drop: (...args) => call('drop', args) as Promise<void>,
  };
}
