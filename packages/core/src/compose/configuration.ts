import * as z from 'zod';
import type { AnalyticsOptions } from '../adapters/analytics/analytics-reader.ts';
import type { RateTable } from '../adapters/rate-limit/window-rate-limiter.ts';
import { readApiBase, type StripeOptions } from '../adapters/stripe/stripe-options.ts';
import type { DailyTable } from '../kernel/operation/daily-quota.ts';
import { type OwnPolicies, type PolicyVariables, readOwnPolicies } from '../kernel/policies/policies.ts';
import type { ReserveTerms } from '../kernel/ports/reserve-terms.ts';
import type { SubsidyTerms } from '../kernel/ports/subsidy-terms.ts';
import { DEFAULT_CHANGE_HOURS } from '../payouts/index.ts';
import { DEFAULT_RECORDS_YEARS } from '../privacy/index.ts';
import { DEFAULT_HOLD_HOURS, DEFAULT_RESERVE, DEFAULT_SHIPMENT_DAYS } from '../sales/index.ts';
import { DEFAULT_SUBSIDIES } from '../subsidies/index.ts';

const figures = z.object({
  limit: z.int().positive(),
  windowSeconds: z.int().positive(),
  shared: z.boolean().optional(),
});
const rateTable = z.object({
  read: figures,
  write: figures,
  register: figures,
  purchase: figures,
  x402: figures,
  inquiry: figures,
});

/**
 * Per caller and location; see docs/operate.md. Registration, inquiries and x402 are tighter than browsing. The bindings in the
 * configuration files have the same figures.
 */
export const DEFAULT_RATES: RateTable = {
  read: { limit: 600, windowSeconds: 60 },
  write: { limit: 120, windowSeconds: 60 },
  register: { limit: 20, windowSeconds: 60 },
  purchase: { limit: 120, windowSeconds: 60 },
  x402: { limit: 30, windowSeconds: 60 },
  inquiry: { limit: 10, windowSeconds: 60 },
};

const dailyFigures = z.object({
  network: z.int().positive(),
  key: z.int().positive(),
  keysOfNetwork: z.int().positive(),
});
const dailyTable = z.object({
  write: dailyFigures,
  register: dailyFigures,
  purchase: dailyFigures,
  x402: dailyFigures,
  inquiry: dailyFigures,
  attachment: dailyFigures,
});

/** What costs nothing, by the day and in all isolates together; see docs/operate.md. An honest day does not reach them. */
const DEFAULT_DAILY: DailyTable = {
  write: { network: 200, key: 5000, keysOfNetwork: 10_000 },
  register: { network: 100, key: 100, keysOfNetwork: 500 },
  purchase: { network: 1000, key: 5000, keysOfNetwork: 10_000 },
  x402: { network: 1000, key: 1000, keysOfNetwork: 1000 },
  inquiry: { network: 50, key: 50, keysOfNetwork: 100 },
  // 100 MB, and 200 MB.
  attachment: { network: 10_000, key: 10_000, keysOfNetwork: 20_000 },
};

/** The variables and secrets of a deployment, as text. */
export interface ConfigurationVariables extends PolicyVariables {
  readonly SIGNING_KEY?: string;
  readonly APP_SECRET?: string;
  readonly APP_SECRET_PREVIOUS?: string;
  readonly ADMIN_SECRET?: string;
  readonly PUBLIC_BASE_URL?: string;
  readonly SITE_URL?: string;
  readonly SELLER_ENDPOINTS?: string;
  readonly RATE_LIMITS?: string;
  readonly DAILY_LIMITS?: string;
  readonly ESCROW_HOLD_HOURS?: string;
  readonly PAYOUT_RESERVE?: string;
  readonly SUBSIDIES?: string;
  readonly SHIPMENT_DEADLINE_DAYS?: string;
  readonly PAYOUT_CHANGE_HOURS?: string;
  readonly RECORDS_YEARS?: string;
  readonly MAIL_FROM?: string;
  readonly STRIPE_SECRET_KEY?: string;
  readonly STRIPE_WEBHOOK_SECRET?: string;
  readonly STRIPE_API_BASE?: string;
  readonly ANALYTICS_ACCOUNT_ID?: string;
  readonly ANALYTICS_API_TOKEN?: string;
  readonly ANALYTICS_API_BASE?: string;
}

export interface Configuration {
  readonly signingKey: string;
  readonly appSecret: string;
  /** The one before a rotation: links made under it are accepted. */
  readonly previousAppSecret: string | null;
  readonly adminSecret: string | null;
  /** Without a trailing slash; null: taken from each request, in development. */
  readonly publicBaseUrl: string | null;
  readonly siteUrl: string | null;
  readonly policies: OwnPolicies;
  readonly sellerEndpoints: 'public' | 'loopback';
  readonly rates: RateTable;
  readonly daily: DailyTable;
  /** How long a seller's share stays in escrow after delivery. */
  readonly escrowHoldHours: number;
  /** How long a seller has to ship a physical order. */
  readonly shipmentDeadlineDays: number;
  /** How long a change of where a seller is paid can be cancelled. */
  readonly payoutChangeHours: number;
  /** How many calendar years records of money are kept after the one they are of. */
  readonly recordsYears: number;
  readonly reserve: ReserveTerms;
  readonly subsidies: SubsidyTerms;
  /** Null: priced listings are paid from wallets only, and wallets cannot be filled. */
  readonly stripe: StripeOptions | null;
  readonly analytics: AnalyticsOptions | null;
  readonly sendsMail: boolean;
}

const MIN_SECRET_LENGTH = 32;

/**
 * Reads and checks a deployment's variables. A missing or contradictory one stops every request with one clear
 * message; otherwise half of the product would work.
 */
export function readConfiguration(variables: ConfigurationVariables): Configuration {
  const { SIGNING_KEY, APP_SECRET, ADMIN_SECRET, PUBLIC_BASE_URL, SITE_URL, SELLER_ENDPOINTS } = variables;
  if (!SIGNING_KEY) throw new Error('The secret SIGNING_KEY is not set.');
  if (!APP_SECRET || APP_SECRET.length < MIN_SECRET_LENGTH) {
    throw new Error(`The secret APP_SECRET is not set, or shorter than ${MIN_SECRET_LENGTH} characters.`);
  }
  if (ADMIN_SECRET && ADMIN_SECRET.length < MIN_SECRET_LENGTH) {
    throw new Error(`The secret ADMIN_SECRET is shorter than ${MIN_SECRET_LENGTH} characters.`);
  }
  const sellerEndpoints = SELLER_ENDPOINTS === 'loopback' ? 'loopback' : 'public';
  const publicBaseUrl = PUBLIC_BASE_URL?.replace(/\/+$/, '') || null;
  if (sellerEndpoints === 'loopback') requireDevelopment('SELLER_ENDPOINTS=loopback', variables);
  return {
    signingKey: SIGNING_KEY,
    appSecret: APP_SECRET,
    previousAppSecret: readPreviousSecret(variables.APP_SECRET_PREVIOUS, APP_SECRET),
    adminSecret: ADMIN_SECRET || null,
    publicBaseUrl,
    siteUrl: SITE_URL?.replace(/\/+$/, '') || null,
    policies: readOwnPolicies(variables),
    sellerEndpoints,
    rates: readRates(variables.RATE_LIMITS),
    daily: readDaily(variables.DAILY_LIMITS),
    escrowHoldHours: readHours('ESCROW_HOLD_HOURS', variables.ESCROW_HOLD_HOURS, DEFAULT_HOLD_HOURS),
    shipmentDeadlineDays: readShipmentDays(variables.SHIPMENT_DEADLINE_DAYS),
    payoutChangeHours: readHours('PAYOUT_CHANGE_HOURS', variables.PAYOUT_CHANGE_HOURS, DEFAULT_CHANGE_HOURS),
    recordsYears: readRecordsYears(variables.RECORDS_YEARS),
    reserve: readReserveTerms(variables.PAYOUT_RESERVE),
    subsidies: readSubsidyTerms(variables.SUBSIDIES),
    stripe: readStripe(variables),
    analytics: readAnalytics(variables),
    sendsMail: Boolean(variables.MAIL_FROM),
  };
}

type DeploymentVariables = Pick<ConfigurationVariables, 'SIGNING_KEY' | 'PUBLIC_BASE_URL'>;

/** Refuses a development setting in a deployment: it has an https address, or a signing key without the local mark. */
function requireDevelopment(what: string, { SIGNING_KEY = '', PUBLIC_BASE_URL }: DeploymentVariables): void {
  if (PUBLIC_BASE_URL?.startsWith('https://')) {
    throw new Error(`${what} cannot be combined with an https PUBLIC_BASE_URL.`);
  }
  if (!isLocalKey(SIGNING_KEY)) {
    throw new Error(`${what} needs a local SIGNING_KEY; this is a key of a deployment.`);
  }
}

function readPreviousSecret(previous: string | undefined, current: string): string | null {
  if (!previous) return null;
  if (previous.length < MIN_SECRET_LENGTH) {
    throw new Error(`The secret APP_SECRET_PREVIOUS is shorter than ${MIN_SECRET_LENGTH} characters.`);
  }
  if (previous === current) throw new Error('APP_SECRET_PREVIOUS is APP_SECRET: set the one before it.');
  return previous;
}

/** Development keys carry a mark, so that a deployment's key is never used with development settings. */
export function isLocalKey(signingKey: string): boolean {
  try {
    return (JSON.parse(signingKey) as { local?: unknown }).local === true;
  } catch {
    return false;
  }
}

function readHours(name: string, text: string | undefined, fallback: number): number {
  if (!text) return fallback;
  const hours = Number(text);
  if (!Number.isSafeInteger(hours) || hours < 0) throw new Error(`${name} is not a whole number of hours.`);
  return hours;
}

/** Cards can be refunded for some months only, so an order must not wait longer than this. */
const MAX_SHIPMENT_DAYS = 90;

function readShipmentDays(text: string | undefined): number {
  if (!text) return DEFAULT_SHIPMENT_DAYS;
  const days = Number(text);
  if (!Number.isSafeInteger(days) || days < 1 || days > MAX_SHIPMENT_DAYS) {
    throw new Error(
      `SHIPMENT_DEADLINE_DAYS is not a whole number of days between 1 and ${MAX_SHIPMENT_DAYS}.`,
    );
  }
  return days;
}

/** A consent to the sale of health data is kept for six years from its last purchase. Longer than a life is an error. */
const [MIN_RECORDS_YEARS, MAX_RECORDS_YEARS] = [6, 100];

function readRecordsYears(text: string | undefined): number {
  if (!text) return DEFAULT_RECORDS_YEARS;
  const years = Number(text);
  if (!Number.isSafeInteger(years) || years < MIN_RECORDS_YEARS || years > MAX_RECORDS_YEARS) {
    throw new Error(
      `RECORDS_YEARS is not a whole number of years between ${MIN_RECORDS_YEARS} and ${MAX_RECORDS_YEARS}.`,
    );
  }
  return years;
}

function readStripe(variables: ConfigurationVariables): StripeOptions | null {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_BASE } = variables;
  if (!STRIPE_SECRET_KEY) return null;
  return {
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET ?? '',
    ...(STRIPE_API_BASE ? { apiBase: readApiBase(STRIPE_API_BASE) } : {}),
  };
}

/** Null: metrics are written, and not read. */
function readAnalytics(variables: ConfigurationVariables): AnalyticsOptions | null {
  const { ANALYTICS_ACCOUNT_ID: accountId, ANALYTICS_API_TOKEN: token, ANALYTICS_API_BASE } = variables;
  if (!accountId || !token) return null;
  if (!/^[0-9a-f]{32}$/.test(accountId)) throw new Error('ANALYTICS_ACCOUNT_ID is not the id of an account.');
  if (ANALYTICS_API_BASE) requireDevelopment('ANALYTICS_API_BASE', variables);
  return { accountId, token, apiBase: ANALYTICS_API_BASE || 'https://api.cloudflare.com' };
}

/** The deployment's own limits replace the default ones. */
export function readRates(text: string | undefined): RateTable {
  if (!text) return DEFAULT_RATES;
  return { ...DEFAULT_RATES, ...(rateTable.partial().parse(JSON.parse(text)) as Partial<RateTable>) };
}

const reserveTerms = z.strictObject({
  limitCents: z.int().min(0),
  days: z.int().min(0).max(365),
  growthPercent: z.int().min(0).max(1000),
});

function readReserveTerms(text: string | undefined): ReserveTerms {
  if (!text) return DEFAULT_RESERVE;
  return { ...DEFAULT_RESERVE, ...(reserveTerms.partial().parse(JSON.parse(text)) as Partial<ReserveTerms>) };
}

const subsidyBudget = z.strictObject({
  partyDayCents: z.int().min(0),
  partyMonthCents: z.int().min(0),
  dayCents: z.int().min(0),
  monthCents: z.int().min(0),
});

const subsidyTerms = z.strictObject({
  ...subsidyBudget.shape,
  buyerShareBps: z.int().min(0).max(10_000),
  chargeBps: z.int().min(0).max(10_000),
  chargeCents: z.int().min(0),
  payoutBps: z.int().min(0).max(10_000),
  payoutCents: z.int().min(0),
  settlementCents: z.int().min(0),
  borneFromCents: z.int().min(0),
  topUps: subsidyBudget.partial(),
  usdc: subsidyBudget.partial(),
});

function readSubsidyTerms(text: string | undefined): SubsidyTerms {
  if (!text) return DEFAULT_SUBSIDIES;
  const { topUps, usdc, ...terms } = subsidyTerms.partial().parse(JSON.parse(text)) as Partial<SubsidyTerms>;
  return {
    ...DEFAULT_SUBSIDIES,
    ...terms,
    topUps: { ...DEFAULT_SUBSIDIES.topUps, ...topUps },
    usdc: { ...DEFAULT_SUBSIDIES.usdc, ...usdc },
  };
}

function readDaily(text: string | undefined): DailyTable {
  if (!text) return DEFAULT_DAILY;
  return { ...DEFAULT_DAILY, ...(dailyTable.partial().parse(JSON.parse(text)) as Partial<DailyTable>) };
}
