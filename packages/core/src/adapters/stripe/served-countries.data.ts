/**
 * Countries whose sellers a Stripe platform in the United States can pay by transfers without an agreement
 * of its own: the United States, the United Kingdom, Canada, Switzerland and the EEA countries where Stripe
 * opens accounts (docs.stripe.com/connect/cross-border-payouts). Stripe has merchants in more countries, but
 * a transfer to them would be refused, so they count as not served.
 */
export const SERVED_COUNTRIES: ReadonlySet<string> = new Set([
  'AT',
  'BE',
  'BG',
  'CA',
  'CH',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GB',
  'GR',
  'HR',
  'HU',
  'IE',
  'IT',
  'LI',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'NO',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
  'US',
]);
