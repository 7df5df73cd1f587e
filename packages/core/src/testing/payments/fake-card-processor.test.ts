import { describe, expect, it } from 'vitest';
import { CardProcessorError } from '../../kernel/ports/card-processor.ts';
import { FakeClock } from '../doubles/fake-clock.ts';
import { describeCardProcessor } from '../suites/card-processor.suite.ts';
import { FakeCardProcessor } from './fake-card-processor.ts';

describeCardProcessor(
  'fake',
  async () => {
    const clock = new FakeClock();
    const processor = new FakeCardProcessor(clock);
    let ids = 0;
    return {
      processor,
      now: () => clock.now(),
      savedCard: async (customerId, kind) => {
        const request = { customerId, agentId: 'agent', returnUrl: 'https://market.example' };
        const { sessionId } = await processor.createSetup(`saved-${++ids}`, request);
        processor.saveCard(sessionId, kind);
        const setup = await processor.getSetup(sessionId);
        if (!setup) throw new Error('The card was not saved.');
        return setup.card;
      },
      outside: {
        pay: async ({ sessionId }, kind) => processor.payCheckout(sessionId, kind),
        saveCard: async ({ sessionId }, kind) => processor.saveCard(sessionId, kind),
        onboard: async ({ accountId }, outcome) => processor.onboard(accountId, outcome),
        advance: (ms) => clock.advance(ms),
        dispute: (paymentId, terms) => processor.disputePayment(paymentId, terms),
        closeDispute: (disputeId, outcome) => processor.closeDispute(disputeId, outcome),
        dashboard: processor.dashboard,
        takeWebhooks: () => processor.takeWebhooks(),
      },
    };
  },
  { hasOutside: true },
);

describe('fake card processor', () => {
  const customer = { agentId: 'agent', email: null };

  it('loses a request before it takes effect', async () => {
    const processor = new FakeCardProcessor(new FakeClock());
    processor.fault = () => 'lose_request';
    const lost = processor.createCustomer('key', customer);
    await expect(lost).rejects.toThrow(CardProcessorError);
    await expect(lost).rejects.toMatchObject({ retryable: true });
    processor.fault = () => undefined;
    expect(await processor.createCustomer('key', { ...customer, agentId: 'another' })).toMatchObject({
      customerId: expect.any(String),
    });
  });

  it('loses a reply after the call took effect, which its key then tells', async () => {
    const clock = new FakeClock();
    const processor = new FakeCardProcessor(clock);
    const { customerId } = await processor.createCustomer('customer', customer);
    const setup = await processor.createSetup('setup', { customerId, agentId: 'a', returnUrl: 'https://m' });
    processor.saveCard(setup.sessionId);
    const saved = await processor.getSetup(setup.sessionId);
    const charge = {
      reference: { kind: 'purchase', id: 'p' },
      customerId,
      paymentMethodId: saved?.card.paymentMethodId ?? '',
      amountCents: 1000,
      description: 'Weather',
      capture: 'automatic',
    } as const;
    processor.fault = ({ method }) => (method === 'chargeSaved' ? 'lose_reply' : undefined);
    await expect(processor.chargeSaved('charge', charge)).rejects.toMatchObject({ retryable: true });
    expect((await processor.getBalance()).pendingCents).toBe(941);
    processor.fault = () => undefined;
    expect(await processor.chargeSaved('charge', charge)).toMatchObject({ kind: 'succeeded' });
    expect((await processor.getBalance()).pendingCents).toBe(941);
    const charges = processor.calls.filter(({ method }) => method === 'chargeSaved');
    expect(charges).toEqual([
      { method: 'chargeSaved', key: 'charge' },
      { method: 'chargeSaved', key: 'charge' },
    ]);
  });
});
