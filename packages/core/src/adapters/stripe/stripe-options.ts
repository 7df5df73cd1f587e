// Apart from the adapter: Workers that charge no cards read it without Stripe's library.

export interface StripeOptions {
  readonly secretKey: string;
  /** The endpoint's signing secret; several are separated by commas. Empty where no webhooks come: none is authentic then. */
  readonly webhookSecret: string;
  /** The local card processor; Stripe itself otherwise. */
  readonly apiBase?: { readonly protocol: 'http' | 'https'; readonly host: string; readonly port: number };
  /** Of one call, to the last byte of its reply. */
  readonly timeoutMs?: number;
}

/** The parts of STRIPE_API_BASE, as `http://localhost:8790`. */
export function readApiBase(address: string): NonNullable<StripeOptions['apiBase']> {
  const { protocol, hostname, port } = new URL(address);
  const isSecure = protocol === 'https:';
  return {
    protocol: isSecure ? 'https' : 'http',
    host: hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
  };
}
