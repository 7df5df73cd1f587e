/** Which Workers need what: names of Workers as in their configuration files. */
const API = 'marketplace-api';
const INGRESS = 'marketplace-ingress';
const JOBS = 'marketplace-jobs';
const LOG = 'marketplace-log';
const MCP = 'marketplace-mcp';
const SITE = 'marketplace-site';
const TREASURY = 'marketplace-treasury';
const X402 = 'marketplace-x402';

const SIGNING = [API, INGRESS, JOBS, MCP, X402];
const SELLING = [API, JOBS, MCP, X402];
const CHARGING = [API, JOBS, MCP];
const SHOWING = [API, MCP, SITE];
const ON_CHAIN = [...SELLING, TREASURY];

interface Setting {
  readonly workers: readonly string[];
  /** Nothing works without it; others are set in all of these Workers or in none. */
  readonly required?: true;
}

/** Stored with `wrangler secret put`, and never in a file. */
export const SECRETS: Readonly<Record<string, Setting>> = {
  SIGNING_KEY: { workers: SIGNING, required: true },
  // The api refuses in the door's name where the door cannot be reached.
  INGRESS_SIGNING_KEY: { workers: [API, INGRESS], required: true },
  // A key of its own: it says nothing but what the log holds.
  LOG_SIGNING_KEY: { workers: [LOG], required: true },
  // Of a rotation, while not everybody knows it who checks the log.
  LOG_SIGNING_KEY_NEXT: { workers: [LOG] },
  // Of the log that takes the place of the first, and of further ones.
  LOG_SIGNING_KEY_2: { workers: [LOG] },
  LOG_SIGNING_KEY_3: { workers: [LOG] },
  LOG_SIGNING_KEY_4: { workers: [LOG] },
  APP_SECRET: { workers: SELLING, required: true },
  // Of a rotation, while links that were made under it are still around.
  APP_SECRET_PREVIOUS: { workers: SELLING },
  ADMIN_SECRET: { workers: [API], required: true },
  STRIPE_SECRET_KEY: { workers: CHARGING },
  // Webhooks come to the api alone.
  STRIPE_WEBHOOK_SECRET: { workers: [API] },
  MAIL_API_KEY: { workers: [JOBS] },
  ANALYTICS_API_TOKEN: { workers: [API] },
  // The address of a chat's hook holds its token.
  ALARM_WEBHOOK_URL: { workers: [JOBS] },
  X402_RELAYER_KEY: { workers: [TREASURY] },
  X402_FACILITATOR_TOKEN: { workers: SELLING },
};

/** Under [vars], or stored as a secret where they hold one. The same text in each of these Workers. */
export const VARIABLES: Readonly<Record<string, Setting>> = {
  PUBLIC_BASE_URL: { workers: [API, INGRESS, LOG, MCP, X402], required: true },
  LOG_WITNESSES: { workers: [LOG] },
  LOG_NUMBER: { workers: [LOG] },
  LOG_FORMER_KEY_STOLEN: { workers: [LOG] },
  SITE_URL: { workers: [API, JOBS, MCP, X402] },
  POLICY_PROHIBITED_URL: { workers: SHOWING },
  POLICY_TERMS_URL: { workers: SHOWING },
  POLICY_PRIVACY_URL: { workers: SHOWING },
  MAIL_FROM: { workers: [API, JOBS, MCP, X402] },
  MAIL_API_URL: { workers: [JOBS] },
  ALARM_MAIL_TO: { workers: [JOBS] },
  ANALYTICS_ACCOUNT_ID: { workers: [API] },
  ESCROW_HOLD_HOURS: { workers: [API, MCP, X402] },
  PAYOUT_RESERVE: { workers: [API, JOBS, MCP] },
  SUBSIDIES: { workers: [API, JOBS, MCP] },
  SHIPMENT_DEADLINE_DAYS: { workers: [API, MCP, X402] },
  PAYOUT_CHANGE_HOURS: { workers: [API, MCP] },
  RECORDS_YEARS: { workers: [JOBS] },
  X402_RPC_URL: { workers: ON_CHAIN },
  X402_NETWORK: { workers: ON_CHAIN },
  X402_PAY_TO: { workers: ON_CHAIN },
  X402_FACILITATOR_URL: { workers: SELLING },
  X402_CONFIRMATIONS: { workers: ON_CHAIN },
  X402_LOG_RANGE: { workers: ON_CHAIN },
  X402_WALLET_FACTORIES: { workers: ON_CHAIN },
  X402_MIN_CENTS: { workers: SELLING },
  X402_CONTRACT_GAS: { workers: [TREASURY] },
  X402_GAS_PER_PAYER: { workers: [TREASURY] },
  X402_GAS_PER_NETWORK: { workers: [TREASURY] },
  X402_GAS_IN_ALL: { workers: [TREASURY] },
  X402_GAS_SHARE_PERCENT: { workers: [TREASURY] },
  X402_ETHER_CENTS: { workers: [TREASURY] },
};

/** Of development: a deployment that has one is open where it must not be. */
export const NEVER_DEPLOYED = ['SELLER_ENDPOINTS', 'STRIPE_API_BASE', 'ANALYTICS_API_BASE'] as const;

/** The Worker that has the address. */
export const ADDRESSED = API;
