import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { CARDS, createSdkClient, failure, HERE } from './sdk-client.ts';
import { enterCard } from './visitor.ts';

const { stripe } = createSdkClient();

const item = (unit_amount: number) => ({
  quantity: 1,
  price_data: { currency: 'usd', unit_amount, product_data: { name: 'Weather' } },
});
const newCheckout = (rest: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  stripe().checkout.sessions.create({
    mode: 'payment',
    ...CARDS,
    line_items: [item(700)],
    success_url: `${HERE}/paid?session={CHECKOUT_SESSION_ID}`,
    cancel_url: HERE,
    ...rest,
  });

describe('customers', () => {
  it('are made and shown, with the version that the library speaks', async () => {
    const made = await stripe().customers.create({ email: 'a@example.com', metadata: { agentId: 'a' } });
    expect(made).toMatchObject({ object: 'customer', email: 'a@example.com', metadata: { agentId: 'a' } });
    expect(made.lastResponse).toMatchObject({ statusCode: 200, apiVersion: '2026-10-28.endive' });
    expect(await stripe().customers.retrieve(made.id)).toMatchObject({ id: made.id });
    expect(await failure(stripe().customers.retrieve('cus_none'))).toEqual({
      type: 'StripeInvalidRequestError',
      code: 'resource_missing',
      param: 'id',
      statusCode: 404,
      message: "No such customer: 'cus_none'",
    });
    expect(await failure(stripe().customers.create({ email: 'nobody' }))).toMatchObject({
      code: 'email_invalid',
    });
  });
});

describe('checkout sessions', () => {
  it('are paid on their page, which then sends the visitor on', async () => {
    const session = await newCheckout({
      payment_intent_data: { capture_method: 'manual', metadata: { id: 'p1' }, transfer_group: 'p1' },
      metadata: { id: 'p1' },
    });
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 700 });
    const { status, location } = await enterCard(session.url ?? '', '4242424242424242');
    expect([status, location]).toEqual([303, `${HERE}/paid?session=${session.id}`]);
    const paid = await stripe().checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent.latest_charge', 'payment_intent.payment_method'],
    });
    expect(paid).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      url: null,
      metadata: { id: 'p1' },
      payment_intent: {
        status: 'requires_capture',
        amount_capturable: 700,
        metadata: { id: 'p1' },
        transfer_group: 'p1',
        latest_charge: { captured: false, amount: 700 },
        payment_method: { card: { last4: '4242', brand: 'visa' } },
      },
    });
    expect(await failure(stripe().checkout.sessions.expire(session.id))).toMatchObject({ statusCode: 400 });
  });

  it('are closed on request', async () => {
    const { id } = await newCheckout();
    expect(await stripe().checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    expect(await failure(stripe().checkout.sessions.expire(id))).toMatchObject({ statusCode: 400 });
  });

  it.each<[string, object, object]>([
    ['no address to go to', { success_url: '' }, { code: 'parameter_invalid_empty', param: 'success_url' }],
    ['an address that is none', { success_url: 'market' }, { code: 'url_invalid', param: 'success_url' }],
    ['too little', { line_items: [item(49)] }, { code: 'amount_too_small' }],
    ['too much', { line_items: [item(100_000_000)] }, { code: 'amount_too_large' }],
    [
      'a customer who is not there',
      { customer: 'cus_none' },
      { code: 'resource_missing', param: 'customer' },
    ],
    ['an unknown parameter', { colour: 'red' }, { code: 'parameter_unknown', param: 'colour' }],
    [
      'a parameter that this version has no more',
      { payment_method_types: ['card'] },
      { code: 'parameter_unknown', param: 'payment_method_types' },
    ],
    [
      'an unknown parameter inside another',
      { payment_intent_data: { colour: 'red' } },
      { code: 'parameter_unknown', param: 'payment_intent_data[colour]' },
    ],
    [
      'half a line',
      { line_items: [{ price_data: { currency: 'usd' } }] },
      { param: 'line_items[0][quantity]' },
    ],
    [
      'an amount that is no number',
      { line_items: [{ ...item(700), quantity: 'two' }] },
      { code: 'parameter_invalid_integer', param: 'line_items[0][quantity]' },
    ],
    [
      'another currency',
      { line_items: [{ quantity: 1, price_data: { ...item(9).price_data, currency: 'eur' } }] },
      { param: 'line_items[0][price_data][currency]' },
    ],
    [
      'a capture method that is none',
      { payment_intent_data: { capture_method: 'later' } },
      { param: 'payment_intent_data[capture_method]' },
    ],
    ['a page open for a minute', { expires_at: Math.floor(Date.now() / 1000) + 60 }, { param: 'expires_at' }],
    ['a property that cannot be shown', { expand: ['weather'] }, { param: 'expand' }],
  ])('refuse %s', async (_, rest, problem) => {
    expect(await failure(newCheckout(rest))).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      ...problem,
    });
  });

  it('do not mix paying with saving a card', async () => {
    const setup = { mode: 'setup' as const, success_url: HERE };
    expect(await failure(stripe().checkout.sessions.create(setup))).toMatchObject({ param: 'currency' });
    const both = { ...setup, ...CARDS, line_items: [item(700)] };
    expect(await failure(stripe().checkout.sessions.create(both))).toMatchObject({ param: 'mode' });
    const missing = { mode: 'payment' as const, success_url: HERE };
    expect(await failure(stripe().checkout.sessions.create(missing))).toMatchObject({ param: 'line_items' });
  });
});
