import { section } from './section.ts';

export const purchasing = section('purchasing', 'Endpoints: purchasing and rating', [
  ['key-recommended', 'Without api_key the purchase is tied to nobody and not retrievable.'],
  ['api-key', 'api_key in the body.'],
  ['email', 'email: receipt email.'],
  ['intended-use', 'buyer_intended_use: the five values.'],
  ['attestation', 'buyer_attestation: five booleans, all true.'],
  ['response', 'Response 200: a purchase object; free listings deliver immediately.'],
  ['checkout', 'Paid listings return a checkout URL.'],
  ['health-422', 'Health purchase without the attestation: 422.'],
  ['read-key', 'GET /marketplace/purchases/{id}: api_key required.'],
  ['read', 'Response 200: status, receipt, and the content once paid or released.'],
  ['rate-key', 'rate: api_key required.'],
  ['rate-purchase', 'purchase_id: required uuid.'],
  ['rate-rating', 'rating: required integer 1-5.'],
  ['rate-comment', 'comment: at most 2000.'],
  ['rate-response', 'Response 200 with a signed attestation.'],
]);

export const sellingEndpoints = section('selling', 'Endpoints: selling', [
  ['register-name', 'POST /sell/register: name required.'],
  ['register-fields', 'email, referralSource (300), referrer (500), utm (8).'],
  ['register-201', 'Response 201 with a card-processor onboarding URL.'],
  ['callback-key', 'POST /sell/callback: api_key and callbackUrl required.'],
  ['callback-https', 'callbackUrl: public https.'],
  ['callback-type', 'callbackType: webhook (default), polling, mcp.'],
  ['callback-200', 'Response 200: endpoint verified.'],
  ['polling', 'polling: the seller fetches and answers.'],
  ['mcp', 'mcp: the platform calls the tool deliver.'],
  ['me', 'GET /sell/me: seller dashboard.'],
  ['me-carriers', 'Bearer, x-api-key, or api_key in the query; for /sell/earnings too.'],
  ['me-401', '401 for an invalid key or a non-seller; for /sell/earnings too.'],
  ['earnings', 'GET /sell/earnings: earnings summary.'],
  ['payout-challenge', 'POST /sell/payout-wallet/challenge: a message to sign, single-use.'],
  ['payout-wallet', 'POST /sell/payout-wallet binds a USDC-on-Base payout wallet.'],
  ['payout-usdc', 'Sellers with a wallet are paid in USDC.'],
]);

export const walletEndpoints = section('wallet', 'Endpoints: wallet', [
  ['balance-key', 'GET /wallet/balance: api_key required.'],
  ['balance', 'Balance, totals funded and spent, auto-recharge, saved card, cap, recent activity.'],
  ['fund', 'POST /wallet/fund: api_key and amount_cents required.'],
  ['amount', 'amount_cents: integer 1000-50000.'],
  ['checkout-url', 'Response 200: checkoutUrl.'],
  ['credits', 'Credits are added automatically when payment completes.'],
]);

export const payPerQuery = section('x402', 'Endpoints: x402 pay-per-query', [
  ['no-account', 'No account.'],
  ['terms', 'exact, base (chain id 8453), USDC, pay-to the platform, 60 s.'],
  ['data', 'Response 200: data delivered with a receipt.'],
  ['missing', 'Response 402: payment header missing.'],
  ['insufficient', 'Response 402: payment insufficient.'],
  [
    'rate',
    'Limited more tightly than reading, writing and buying; 429 means back off, and is no payment failure.',
  ],
  ['once', 'The same payment again brings the data again and is charged once.'],
  ['free', 'Free listings answer without payment.'],
  ['never-health', 'Personal health data is never sold over x402.'],
]);
