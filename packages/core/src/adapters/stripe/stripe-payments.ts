import Stripe from 'stripe';
import {
  type CaptureOutcome,
  type CardProcessor,
  CardProcessorError,
  type ChargeOutcome,
  type Payment,
  type Refund,
} from '../../kernel/ports/card-processor.ts';
import { CARDS_ONLY, CURRENCY } from './stripe-checkouts.ts';
import { ask, askStateGuarded, isRefusal, isServerFailure, type StripeError } from './stripe-errors.ts';
import { fromMetadata, idOf, toMetadata, transferGroup } from './stripe-reference.ts';

type Payments = Pick<CardProcessor, 'chargeSaved' | 'getPayment' | 'capture' | 'cancel' | 'refund'>;

/** The bank's codes for an expired authorization, which come before the payment itself shows it. */
const EXPIRED_CODES = ['charge_expired_for_capture', 'capture_charge_authorization_expired'];
const NEEDS_HOLDER = ['authentication_required', 'requires_action_not_handled'];
const PAGE = 100;

/** Payment intents and their refunds. */
export function stripePayments(stripe: Stripe): Payments {
  const chargeUnder = async (customer: string, key: string) => {
    const { data } = await stripe.paymentIntents.list({
      customer,
      limit: PAGE,
      expand: ['data.latest_charge'],
    });
    return data.find(({ metadata }) => metadata.key === key);
  };
  const refundsOf = async (payment_intent: string) =>
    (await stripe.refunds.list({ payment_intent, limit: PAGE })).data;
  const disputesOf = async (payment_intent: string) =>
    (await stripe.disputes.list({ payment_intent, limit: PAGE })).data.map(({ id }) => id);

  return {
    chargeSaved: (key, charge) =>
      ask('charge saved card', async () => {
        try {
          const intent = await stripe.paymentIntents.create(
            {
              amount: charge.amountCents,
              currency: CURRENCY,
              ...CARDS_ONLY,
              customer: charge.customerId,
              payment_method: charge.paymentMethodId,
              capture_method: charge.capture,
              confirm: true,
              off_session: true,
              description: charge.description,
              metadata: { ...toMetadata(charge.reference), key },
              ...transferGroup(charge.reference),
              expand: ['latest_charge'],
            },
            { idempotencyKey: key },
          );
          return toOutcome(intent);
        } catch (error) {
          const declined = toDecline(error);
          if (declined) return declined;
          // Stripe's failure may have come after the charge, and under this key it says the same for a day.
          const earlier = isServerFailure(error) && (await chargeUnder(charge.customerId, key));
          if (!earlier) throw error;
          return toOutcome(earlier);
        }
      }),

    getPayment: (paymentId) =>
      ask('get payment', async () => {
        const intent = await stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] });
        const charge = chargeOf(intent);
        // Cancelling an authorization shows as a refund on its charge, although nothing was captured.
        const isRefunded = intent.amount_received > 0 && (charge?.amount_refunded ?? 0) > 0;
        const refunds = isRefunded ? await refundsOf(paymentId) : [];
        const disputeIds = charge?.disputed ? await disputesOf(paymentId) : [];
        return toPayment(intent, charge, refunds, disputeIds);
      }),

    capture: (key, paymentId) =>
      ask('capture', async () => {
        try {
          return toCaptured(
            await askStateGuarded(key, (idempotencyKey) =>
              stripe.paymentIntents.capture(paymentId, undefined, { idempotencyKey }),
            ),
          );
        } catch (error) {
          if (!isRefusal(error) && !isServerFailure(error)) throw error;
          // It may have been captured before or have expired: the current state of the payment decides.
          const intent = await stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] });
          if (intent.status === 'succeeded') return toCaptured(intent);
          if (intent.status === 'canceled' || EXPIRED_CODES.includes(error.code ?? ''))
            return { kind: 'expired' };
          throw error;
        }
      }),

    cancel: (key, paymentId) =>
      ask('cancel', async () => {
        try {
          await askStateGuarded(key, (idempotencyKey) =>
            stripe.paymentIntents.cancel(paymentId, undefined, { idempotencyKey }),
          );
        } catch (error) {
          if (!isRefusal(error) && !isServerFailure(error)) throw error;
          const { status } = await stripe.paymentIntents.retrieve(paymentId);
          if (status !== 'canceled') throw error;
        }
      }),

    refund: (key, { paymentId, amountCents }) =>
      ask('refund', async () => {
        // Stripe drops idempotency keys after a day; the metadata of the refund keeps ours.
        const before = (await refundsOf(paymentId)).find(({ metadata }) => metadata?.key === key);
        if (before) return toRefund(before);
        try {
          return toRefund(
            await stripe.refunds.create(
              { payment_intent: paymentId, amount: amountCents, metadata: { key } },
              { idempotencyKey: key },
            ),
          );
        } catch (error) {
          if (!isRefusal(error) || error.code !== 'charge_already_refunded') throw error;
          const standing = (await refundsOf(paymentId)).filter(isStanding);
          const [last] = standing;
          if (!last || standing.reduce((sum, { amount }) => sum + amount, 0) !== amountCents) throw error;
          return toRefund(last);
        }
      }),
  };
}

/** Stripe's other statuses, `pending` and `requires_action`, are still to be decided. */
function toRefund({ id, status }: Stripe.Refund): Refund {
  const isFailed = status === 'failed' || status === 'canceled';
  return { refundId: id, status: status === 'succeeded' ? status : isFailed ? 'failed' : 'pending' };
}

const isStanding = (refund: Stripe.Refund): boolean => toRefund(refund).status !== 'failed';

function toCaptured(intent: Stripe.PaymentIntent): CaptureOutcome {
  const chargeId = idOf(intent.latest_charge) ?? '';
  const { amount_refunded: refundedCents = 0, disputed: isDisputed = false } = chargeOf(intent) ?? {};
  return { kind: 'captured', chargeId, capturedCents: intent.amount_received, refundedCents, isDisputed };
}

/** Where it was asked for with the payment. */
function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof charge === 'object' ? charge : null;
}

function captureBeforeMs(charge: Stripe.Charge | null): number | null {
  const { capture_before: captureBefore } = charge?.payment_method_details?.card ?? {};
  return captureBefore === undefined ? null : captureBefore * 1000;
}

function toOutcome(intent: Stripe.PaymentIntent): ChargeOutcome {
  const { id, status, last_payment_error } = intent;
  if (status === 'succeeded' || status === 'requires_capture')
    return { kind: 'succeeded', paymentId: id, captureBeforeMs: captureBeforeMs(chargeOf(intent)) };
  if (status === 'requires_action') return { kind: 'authentication_required' };
  if (status === 'processing')
    throw new CardProcessorError('card processor: charge saved card: processing', true);
  const { code, decline_code } = last_payment_error ?? {};
  return declineOf(code, decline_code);
}

/** A declined card, or null for any other failure. A saved card that no longer exists counts as declined. */
function toDecline(error: unknown): ChargeOutcome | null {
  if (error instanceof Stripe.errors.StripeCardError) return declineOf(error.code, error.decline_code);
  if (isRefusal(error) && isAboutCard(error)) return declineOf(error.code, undefined);
  return null;
}

function isAboutCard({ param, rawType }: StripeError): boolean {
  return rawType === 'invalid_request_error' && param === 'payment_method';
}

function declineOf(code: string | undefined, declineCode: string | undefined): ChargeOutcome {
  if (NEEDS_HOLDER.includes(code ?? '') || NEEDS_HOLDER.includes(declineCode ?? ''))
    return { kind: 'authentication_required' };
  return { kind: 'declined', code: declineCode || code || 'card_declined' };
}

const STATUSES: Readonly<Record<string, Payment['status']>> = {
  requires_capture: 'authorized',
  succeeded: 'captured',
  canceled: 'canceled',
};

function toPayment(
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge | null,
  refunds: readonly Stripe.Refund[],
  disputeIds: readonly string[],
): Payment {
  const sumOf = (status: Refund['status']) =>
    refunds.reduce((sum, refund) => sum + (toRefund(refund).status === status ? refund.amount : 0), 0);
  return {
    paymentId: intent.id,
    status: STATUSES[intent.status] ?? 'requires_payment',
    amountCents: intent.amount,
    capturedCents: intent.amount_received,
    refundedCents: sumOf('succeeded'),
    pendingRefundCents: sumOf('pending'),
    disputeIds,
    captureBeforeMs: captureBeforeMs(charge),
    cardFingerprint: charge?.payment_method_details?.card?.fingerprint ?? null,
    chargeId: idOf(intent.latest_charge),
    reference: fromMetadata(intent.metadata),
  };
}
