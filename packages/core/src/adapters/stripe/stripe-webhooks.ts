import Stripe from 'stripe';
import type { CardEvent, CardProcessor } from '../../kernel/ports/card-processor.ts';
import { ask } from './stripe-errors.ts';
import { idOf } from './stripe-reference.ts';

/** The greatest age of a webhook. Stripe signs every attempt anew. */
const TOLERANCE_SECONDS = 300;
const PAGE = 100;

/**
 * Several secrets may be valid: events of the platform and of connected accounts are two endpoints at Stripe, and
 * a rotated secret stays valid for a while.
 */
export function stripeWebhooks(
  stripe: Stripe,
  secrets: string,
): Pick<CardProcessor, 'readWebhook' | 'listEvents'> {
  const known = secrets.split(',').flatMap((secret) => secret.trim() || []);
  const subtle = Stripe.createSubtleCryptoProvider();

  async function authentic(body: string, header: string, nowMs: number): Promise<Stripe.Event | null> {
    for (const secret of known) {
      try {
        return await stripe.webhooks.constructEventAsync(
          body,
          header,
          secret,
          TOLERANCE_SECONDS,
          subtle,
          nowMs,
        );
      } catch {
        // Signed with another secret, too old, or not an event: try the next secret.
      }
    }
    return null;
  }

  return {
    readWebhook: async (rawBody, signatureHeader, nowMs) => {
      const event = await authentic(rawBody, signatureHeader, nowMs);
      if (event === null) return 'unauthentic';
      const about = subject(event);
      return about === null ? 'irrelevant' : toEvent(event, about);
    },

    listEvents: ({ sinceMs, untilMs, after }) =>
      ask('list events', async () => {
        const { data, has_more } = await stripe.events.list({
          created: { gte: Math.floor(sinceMs / 1000), lte: Math.floor(untilMs / 1000) },
          types: [...EVENT_TYPES],
          limit: PAGE,
          ...(after && { starting_after: after }),
        });
        const events = data.flatMap((event) => {
          const about = subject(event);
          return about === null ? [] : [toEvent(event, about)];
        });
        return { events, next: has_more ? (data.at(-1)?.id ?? null) : null };
      }),
  };
}

const toEvent = ({ id, created }: Stripe.Event, about: CardEvent['about']): CardEvent => ({
  id,
  createdAtMs: created * 1000,
  about,
});

/** Those of the platform itself that `subject` knows. */
const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'payment_intent.succeeded',
  'charge.refunded',
  'refund.failed',
  'refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'transfer.reversed',
  'payout.failed',
] as const;

/** The object that an event is about. docs/cards.md lists the same types for the set-up of the endpoint. */
function subject(event: Stripe.Event): CardEvent['about'] | null {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.expired': {
      const { id, mode } = event.data.object;
      return { kind: mode === 'setup' ? 'setup' : 'checkout', sessionId: id };
    }
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.canceled':
    case 'payment_intent.payment_failed':
    case 'payment_intent.succeeded':
      return { kind: 'payment', paymentId: event.data.object.id };
    case 'charge.refunded':
    case 'refund.failed':
    case 'refund.updated': {
      const paymentId = idOf(event.data.object.payment_intent);
      return paymentId ? { kind: 'payment', paymentId } : null;
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return { kind: 'dispute', disputeId: event.data.object.id };
    case 'account.updated':
      return { kind: 'account', accountId: event.data.object.id };
    case 'account.application.deauthorized':
      return event.account ? { kind: 'account', accountId: event.account } : null;
    // Of a seller's bank, or of the platform's own.
    case 'payout.failed':
      return event.account ? { kind: 'account', accountId: event.account } : { kind: 'balance' };
    case 'transfer.reversed':
      return { kind: 'balance' };
    default:
      return null;
  }
}
