import Stripe from 'stripe';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CardProcessorOptions } from './start-card-processor.ts';
import { startCardProcessor } from './start-card-processor.ts';
import { startReceiver } from './start-receiver.ts';

const SECRETS = { secretKey: 'sk_test_local', webhookSecret: 'whsec_local' };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(options: Partial<CardProcessorOptions> = {}) {
  const receiver = await startReceiver();
  const local = await startCardProcessor({
    ...SECRETS,
    port: 0,
    stateDir: null,
    webhookUrl: receiver.url,
    webhookRetryDelaysMs: [5, 5],
    ...options,
  });
  closing.push(
    () => receiver.close(),
    () => local.close(),
  );
  const { hostname, port } = new URL(local.url);
  const stripe = new Stripe(SECRETS.secretKey, { host: hostname, port, protocol: 'http' });
  const emails = () =>
    receiver
      .take()
      .map(({ body }) => (JSON.parse(body) as { data: { object: { email: string } } }).data.object.email);
  const make = async (...names: string[]) => {
    for (const name of names) await stripe.customers.create({ email: `${name}@x.test` });
    return names.map((name) => `${name}@x.test`);
  };
  return { receiver, local, stripe, emails, make };
}

describe('webhooks', () => {
  it('are signed as Stripe signs them, and show the object as it was', async () => {
    const { receiver, local, stripe } = await start();
    const customer = await stripe.customers.create({ email: 'a@x.test' }, { idempotencyKey: 'key' });
    await local.control.webhooks.settled();
    const [sent] = receiver.take();
    if (!sent) throw new Error('Nothing was sent.');
    const event = stripe.webhooks.constructEvent(sent.body, sent.signature, SECRETS.webhookSecret);
    expect(event).toMatchObject({
      type: 'customer.created',
      api_version: '2026-10-28.endive',
      data: { object: { id: customer.id } },
      request: { id: customer.lastResponse.requestId, idempotency_key: 'key' },
    });
    expect(() => stripe.webhooks.constructEvent(sent.body, sent.signature, 'whsec_other')).toThrow();
  });

  it('come again until they are taken', async () => {
    const { receiver, local, emails, make } = await start();
    receiver.refuse(2);
    const [email] = await make('a');
    const tries: string[] = [];
    await vi.waitFor(() => {
      tries.push(...emails());
      expect(tries).toEqual([email, email, email]);
    });
    await local.control.webhooks.settled();
    expect(local.control.webhooks.drop()).toBe(0);
  });

  it('are given up in the end', async () => {
    const { receiver, local, make } = await start();
    receiver.refuse(100);
    await make('a');
    const tries: unknown[] = [];
    await vi.waitFor(() => {
      tries.push(...receiver.take());
      expect(tries).toHaveLength(3);
    });
    await local.control.webhooks.settled();
    expect(local.control.webhooks.drop()).toBe(0);
  });

  it('wait until there is somewhere to send them', async () => {
    const { receiver, local, emails, make } = await start({ webhookUrl: null });
    const made = await make('a', 'b');
    await local.control.webhooks.settled();
    expect(emails()).toEqual([]);
    local.control.setWebhookUrl(receiver.url);
    await local.control.webhooks.settled();
    expect(emails()).toEqual(made);
  });

  it('are held, repeated, shuffled and lost on request', async () => {
    const { local, emails, make } = await start();
    const { webhooks } = local.control;
    webhooks.hold();
    const made = await make('a', 'b', 'c', 'd');
    await webhooks.settled();
    expect(emails()).toEqual([]);
    await webhooks.flush({ copies: 3, shuffle: 7 });
    const arrived = emails();
    expect(arrived).not.toEqual([...made, ...made, ...made]);
    expect(arrived.toSorted()).toEqual(made.flatMap((email) => [email, email, email]));
    await make('e', 'f');
    expect(webhooks.drop()).toBe(2);
    webhooks.release();
    const late = await make('g');
    await webhooks.settled();
    expect(emails()).toEqual(late);
  });
});
