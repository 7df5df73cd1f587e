import { enterBalance } from './balance.ts';
import { fingerprintOf, TEST_CARDS } from './cards.ts';
import { disputeIfTestCard } from './endpoints/disputes.ts';
import type { Charge, PaymentIntent } from './objects.ts';
import { newId, seconds, type World } from './world.ts';

/** Card money is on its way for two days. */
const SETTLEMENT_SECONDS = 2 * 24 * 3600;
const RESERVATION_SECONDS = 7 * 24 * 3600;
/** Where the holder of a Visa card is not there. */
const VISA_OFF_SESSION_SECONDS = (4 * 24 + 18) * 3600;

/** How long a bank keeps money reserved. */
function reservationSeconds(world: World, { payment_method: method }: PaymentIntent, holder: Holder): number {
  const brand = TEST_CARDS[world.state.cardNumbers[method ?? ''] ?? '']?.brand;
  return brand === 'visa' && holder === 'offSession' ? VISA_OFF_SESSION_SECONDS : RESERVATION_SECONDS;
}

type Holder = 'present' | 'offSession';

/** Stripe's own charge in the United States: 2.9 % and 30 cents. */
function processingFee(amount: number): number {
  return Math.round((amount * 29) / 1000) + 30;
}

/** Puts a payment through with its card: reserves the money, and takes it unless that waits for a capture. */
export function authorize(world: World, intent: PaymentIntent, holder: Holder = 'present'): Charge {
  const isReserved = intent.capture_method === 'manual';
  const captureBefore = seconds(world) + reservationSeconds(world, intent, holder);
  const charge = addCharge(world, intent, {
    failure_code: null,
    failure_message: null,
    payment_method_details: {
      card: {
        fingerprint: fingerprintOf(world.state.cardNumbers[intent.payment_method ?? '']),
        ...(isReserved && { capture_before: captureBefore }),
      },
      type: 'card',
    },
    status: 'succeeded',
  });
  intent.last_payment_error = null;
  if (isReserved) {
    intent.status = 'requires_capture';
    intent.amount_capturable = intent.amount;
    world.emit('charge.succeeded', charge);
    world.emit('payment_intent.amount_capturable_updated', intent);
  } else {
    take(world, intent, charge, intent.amount);
    world.emit('charge.succeeded', charge);
    world.emit('payment_intent.succeeded', intent);
    disputeIfTestCard(world, charge);
  }
  return charge;
}

export function captureAmount(world: World, intent: PaymentIntent, amount: number): void {
  const charge = world.state.charges[intent.latest_charge ?? ''];
  if (!charge) throw new Error('A payment that can be captured has a charge.');
  take(world, intent, charge, amount);
  world.emit('charge.captured', charge);
  world.emit('payment_intent.succeeded', intent);
  disputeIfTestCard(world, charge);
}

function take(world: World, intent: PaymentIntent, charge: Charge, amount: number): void {
  charge.captured = true;
  charge.amount_captured = amount;
  intent.amount_received = amount;
  intent.amount_capturable = 0;
  intent.status = 'succeeded';
  const card = TEST_CARDS[world.state.cardNumbers[charge.payment_method] ?? ''];
  const delay = card?.availableAtOnce ? 0 : SETTLEMENT_SECONDS;
  const availableOn = seconds(world) + delay;
  const fee = processingFee(amount);
  enterBalance(world, { type: 'charge', category: 'charge', source: charge.id, amount, fee, availableOn });
}

/** Gives reserved money back, which shows as a refund on the charge. */
export function release(world: World, intent: PaymentIntent, reason: string | null): void {
  const charge = world.state.charges[intent.latest_charge ?? ''];
  if (intent.status === 'requires_capture' && charge) {
    charge.amount_refunded = charge.amount;
    charge.refunded = true;
    world.emit(reason === 'expired' ? 'charge.expired' : 'charge.refunded', charge);
  }
  intent.status = 'canceled';
  intent.amount_capturable = 0;
  intent.canceled_at = seconds(world);
  intent.cancellation_reason = reason;
  world.emit('payment_intent.canceled', intent);
}

/** Notes a try that the bank refused. */
export function refuse(
  world: World,
  intent: PaymentIntent,
  error: Readonly<Record<string, unknown>>,
): Charge {
  const charge = addCharge(world, intent, {
    failure_code: String(error.code),
    failure_message: String(error.message),
    payment_method_details: { card: {}, type: 'card' },
    status: 'failed',
  });
  intent.status = 'requires_payment_method';
  intent.last_payment_error = { ...error, charge: charge.id };
  intent.payment_method = null;
  world.emit('charge.failed', charge);
  world.emit('payment_intent.payment_failed', intent);
  return charge;
}

function addCharge(
  world: World,
  intent: PaymentIntent,
  outcome: Pick<Charge, 'failure_code' | 'failure_message' | 'payment_method_details' | 'status'>,
): Charge {
  const charge: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    captured: false,
    created: seconds(world),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    livemode: false,
    metadata: { ...intent.metadata },
    paid: outcome.status === 'succeeded',
    payment_intent: intent.id,
    payment_method: intent.payment_method ?? '',
    refunded: false,
    transfer_group: intent.transfer_group,
    ...outcome,
  };
  world.state.charges[charge.id] = charge;
  intent.latest_charge = charge.id;
  return charge;
}
