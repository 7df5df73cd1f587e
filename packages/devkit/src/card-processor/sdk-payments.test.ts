import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { createSdkClient, failure } from './sdk-client.ts';

const { stripe, advance, saveCard, charge } = createSdkClient();

describe('payment intents', () => {
  it('charge a saved card, and are listed by customer', async () => {
    const card = await saveCard('5555555555554444');
    const intent = await charge(card, { capture_method: 'automatic', transfer_group: 'g' });
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 700, transfer_group: 'g' });
    const second = await charge(card);
    const list = await stripe().paymentIntents.list({ customer: card.customer, limit: 1 });
    expect(list).toMatchObject({ has_more: true, data: [{ id: second.id }] });
    const all = [];
    for await (const one of stripe().paymentIntents.list({ customer: card.customer, limit: 1 }))
      all.push(one.id);
    expect(all).toEqual([second.id, intent.id]);
  });

  it.each([
    ['4000000000000341', 'card_declined', 'generic_decline'],
    ['4000002760003184', 'authentication_required', 'authentication_required'],
  ])('with the card %s fail as %s', async (number, code, declineCode) => {
    const card = await saveCard(number);
    const error: unknown = await charge(card).catch((reason: unknown) => reason);
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
    expect(error).toMatchObject({ code, decline_code: declineCode, statusCode: 402 });
    expect(error.payment_intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code, type: 'card_error' },
    });
    expect(error.doc_url).toBe(`https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`);
  });

  it('charge a card off-session that was set up with authentication', async () => {
    const card = await saveCard('4000002500003155');
    expect(await charge(card)).toMatchObject({ status: 'succeeded' });
  });

  it('capture all or a part, once', async () => {
    const card = await saveCard('4242424242424242');
    const { id } = await charge(card, { capture_method: 'manual' });
    const tooMuch = stripe().paymentIntents.capture(id, { amount_to_capture: 701 });
    expect(await failure(tooMuch)).toMatchObject({ code: 'amount_too_large' });
    const captured = await stripe().paymentIntents.capture(id, { amount_to_capture: 600 });
    expect(captured).toMatchObject({ status: 'succeeded', amount_received: 600, amount_capturable: 0 });
    const again = { code: 'payment_intent_unexpected_state', statusCode: 400 };
    expect(await failure(stripe().paymentIntents.capture(id))).toMatchObject(again);
    expect(await failure(stripe().paymentIntents.cancel(id))).toMatchObject(again);
  });

  it('cancel what is reserved, with a reason', async () => {
    const card = await saveCard('4242424242424242');
    const { id } = await charge(card, { capture_method: 'manual' });
    const reason = { cancellation_reason: 'abandoned' as const, expand: ['latest_charge'] };
    expect(await stripe().paymentIntents.cancel(id, reason)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'abandoned',
      amount_capturable: 0,
      latest_charge: { refunded: true, captured: false },
    });
    expect(await failure(stripe().paymentIntents.capture(id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });

  it('lose the reservation after seven days', async () => {
    const card = await saveCard('4242424242424242');
    const { id } = await charge(card, { capture_method: 'manual' });
    advance(7 * 24 * 3600_000);
    expect(await stripe().paymentIntents.retrieve(id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
    });
  });

  it('refuse what Stripe refuses', async () => {
    const card = await saveCard('4242424242424242');
    const stranger = await saveCard('4242424242424242');
    const refusals = [
      [() => charge(card, { amount: 49 }), { code: 'amount_too_small', param: 'amount' }],
      [() => charge(card, { amount: 100_000_000 }), { code: 'amount_too_large', param: 'amount' }],
      [() => charge(card, { amount: 7.5 }), { code: 'parameter_invalid_integer', param: 'amount' }],
      [() => charge(card, { confirm: false }), { param: 'off_session' }],
      [
        () => charge({ ...card, payment_method: 'pm_none' }),
        { code: 'resource_missing', param: 'payment_method' },
      ],
      [() => charge({ ...card, customer: 'cus_none' }), { code: 'resource_missing', param: 'customer' }],
      [() => charge({ ...card, customer: stranger.customer }), { param: 'payment_method' }],
      [
        () => stripe().paymentIntents.create({ amount: 700 } as Stripe.PaymentIntentCreateParams),
        { code: 'parameter_missing', param: 'currency' },
      ],
    ] as const;
    for (const [call, problem] of refusals)
      expect(await failure(call())).toMatchObject({ statusCode: 400, ...problem });
    expect(await failure(stripe().paymentIntents.retrieve('pi_none'))).toMatchObject({
      statusCode: 404,
      param: 'intent',
    });
  });
});

describe('refunds', () => {
  it('are made in parts, shown and listed', async () => {
    const { id } = await charge(await saveCard('4242424242424242'));
    const part = await stripe().refunds.create({ payment_intent: id, amount: 200, metadata: { key: 'k' } });
    expect(part).toMatchObject({ amount: 200, status: 'succeeded', metadata: { key: 'k' } });
    const tooMuch = stripe().refunds.create({ payment_intent: id, amount: 501 });
    expect(await failure(tooMuch)).toMatchObject({ statusCode: 400, param: 'amount' });
    const rest = await stripe().refunds.create({ payment_intent: id });
    expect(rest.amount).toBe(500);
    const none = stripe().refunds.create({ payment_intent: id });
    expect(await failure(none)).toMatchObject({ code: 'charge_already_refunded' });
    const { data } = await stripe().refunds.list({ payment_intent: id });
    expect(data.map((refund) => refund.id)).toEqual([rest.id, part.id]);
    expect(await stripe().refunds.retrieve(part.id)).toMatchObject({ id: part.id });
    expect(await failure(stripe().refunds.create({}))).toMatchObject({ param: 'payment_intent' });
  });
});
