import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFaultWorld, HOLD_MS, PRICE } from './fault-world.ts';
import { breakEverywhere } from './scenarios.ts';

// The card processor refunds nothing more of a payment of which a bank took a part: the operator pays the buyer what is
// left, by bank.

const world = await createFaultWorld();
const LEFT_CENTS = PRICE / 2;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

async function hear(): Promise<void> {
  for (const { rawBody, signatureHeader } of await world.cards.takeWebhooks())
    await cardWebhook.take(world.market.newPorts(), rawBody, signatureHeader);
}

async function halfDisputed() {
  const sold = await world.newSale('card');
  const payment = world.cards.payments.find(({ reference }) => reference?.id === sold.purchaseId);
  const disputeId = world.cards.disputePayment(payment?.paymentId ?? '', { amountCents: LEFT_CENTS });
  await hear();
  return { purchaseId: sold.purchaseId, disputeId };
}

async function lose(disputeId: string): Promise<void> {
  world.cards.closeDispute(disputeId, 'lost');
  await hear();
}

const operate = (purchaseId: string, path: string, body: object = {}, headers: Record<string, string> = {}) =>
  world.request(
    'POST',
    `/admin/purchases/${purchaseId}/${path}`,
    null,
    { reason: 'Test.', ...body },
    { ...admin, ...headers },
  );

async function overdueRows(purchaseId: string) {
  const { body } = await world.request('GET', '/admin/overdue?limit=100', null, undefined, admin);
  const { overdue } = body as unknown as { overdue: readonly { readonly subjectId: string }[] };
  return overdue.filter(({ subjectId }) => subjectId === purchaseId);
}

async function expectPaidByBank(purchaseId: string): Promise<void> {
  world.market.clock.advance(2 * HOLD_MS);
  await world.everyMinute();
  expect(await overdueRows(purchaseId)).toMatchObject([
    {
      amountCents: LEFT_CENTS,
      kind: 'refund_failed',
      mendWith: expect.arrayContaining(['markPaidElsewhere']) as string[],
    },
  ]);
  const evidence = { text: 'Bank transfer 4712.' };
  world.bank.pay(purchaseId, 'buyer', LEFT_CENTS);
  const paid = await operate(purchaseId, 'paid-elsewhere', { party: 'buyer', evidence });
  expect([paid.status, paid.body.amountCents]).toEqual([200, LEFT_CENTS]);
  await world.expectAllWell();
  const refunds = world.cards.payments.find(({ reference }) => reference?.id === purchaseId)?.refundedCents;
  expect([await world.statusOf(purchaseId), refunds]).toEqual(['refunded', 0]);
}

describe('a payment that a bank took in part is refunded no more by the processor', () => {
  beforeEach(() => world.renew());

  it('lost before the refund is asked for', async () => {
    const { purchaseId, disputeId } = await halfDisputed();
    await lose(disputeId);
    expect((await operate(purchaseId, 'refund')).status).toBe(200);
    await world.recover();
    await expectPaidByBank(purchaseId);
  });

  it('lost while the refund waits', async () => {
    const { purchaseId, disputeId } = await halfDisputed();
    expect((await operate(purchaseId, 'refund')).status).toBe(200);
    await lose(disputeId);
    await world.recover();
    await expectPaidByBank(purchaseId);
  });
});

describe('a refund that the processor refuses for good, cut off anywhere', async () => {
  const refund = ({ purchaseId, key }: { readonly purchaseId: string; readonly key: string }) =>
    operate(purchaseId, 'refund', {}, { 'idempotency-key': key });
  await breakEverywhere<{ readonly purchaseId: string; readonly key: string }>(world, {
    name: 'a refund of what is left after a lost dispute',
    async prepare() {
      const { purchaseId, disputeId } = await halfDisputed();
      await lose(disputeId);
      return { purchaseId, key: crypto.randomUUID() };
    },
    act: (asked) => refund(asked).catch(() => {}),
    async comeBack(asked) {
      expect((await world.untilAnswered(() => refund(asked))).status).toBe(200);
      await world.recover();
      await expectPaidByBank(asked.purchaseId);
    },
    expectEnd: async ({ purchaseId }) => expect(await world.statusOf(purchaseId)).toBe('refunded'),
  });
});
