import Stripe from 'stripe';

/** Stripe's own library, as it comes, with the local card processor at this address. */
export function createStripeClient(url: string, secretKey: string): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(secretKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
}
