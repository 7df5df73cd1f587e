import type Stripe from 'stripe';
import type { CaptureMethod, Metadata } from './objects.ts';

// What the card processor keeps beside Stripe's objects; none of it is an answer as it stands.

/** What a session does once its page is filled in; not part of an answer. */
export interface CheckoutPlan {
  readonly captureMethod: CaptureMethod;
  readonly description: string | null;
  readonly itemName: string;
  readonly metadata: Metadata;
  readonly transferGroup: string | null;
  /** Made by the first try with a card. */
  paymentIntent: string | null;
  /** The card that waits for its holder's bank. */
  authenticating: EnteredCard | null;
}

export interface EnteredCard {
  readonly number: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly email: string | null;
}

/** An account link by the token in its address; the answer shows only its address. */
export interface OnboardingLink {
  readonly account: string;
  readonly returnUrl: string;
  readonly refreshUrl: string;
  readonly expiresAt: number;
  state: 'fresh' | 'visited' | 'used';
}

/** The answer that a repeated request under the same key gets. */
export interface KeptAnswer {
  readonly request: string;
  readonly requestId: string;
  readonly status: number;
  readonly body: string;
  readonly keptAt: number;
}

export interface Event {
  readonly id: string;
  readonly object: 'event';
  readonly account?: string;
  readonly api_version: string;
  readonly created: number;
  readonly data: { readonly object: unknown };
  readonly livemode: false;
  readonly pending_webhooks: 1;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: Stripe.Event['type'];
}

/** One event on its way to the webhook. */
export interface Delivery {
  readonly event: Event;
  attempts: number;
}
