import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { policyAddresses } from '../kernel/policies/policies.ts';
import { epochOf, isoTime } from '../kernel/time.ts';
import { scheduleAt } from './fee-schedule.rules.ts';
import { CHANGE_TERMS, FEE_SCHEDULES } from './fee-schedules.ts';
import { bandsView, ROUNDING, scheduleView, viewBands, viewSchedule } from './fees.schema.ts';

const BPS = 10_000;

/** Clause: GET /meta. */
export const getMeta = defineOperation({
  name: 'getMeta',
  summary: 'The fee schedule in force, the rails, and where to check everything.',
  area: 'Meta',
  auth: 'none',
  input: z.object({}),
  output: bandsView.extend({
    brand: z.object({
      apiKeyPrefix: z.string(),
      headerPrefix: z.string(),
      name: z.string(),
      policies: z
        .object({ privacy: z.url(), prohibited: z.url(), terms: z.url() })
        .describe(
          'Where the policies of this marketplace are, for people: privacy, prohibited goods, terms.',
        ),
    }),
    buyerBps: z.int(),
    demand_ledger: z.string(),
    established: z.iso.date(),
    fees: z.object({
      banded: z.literal(true),
      bands: bandsView,
      buyer_fee_bps: z.int(),
      change_notice: z.string(),
      listing_fee_bps: z.int(),
      rate_change_notice_days: z.int(),
      rounding: z.string(),
      schedule_history: z.array(scheduleView),
      schedule_version: z.int(),
      seller_fee_bps: z.int(),
      seller_keep_bps: z.int(),
      settled_sales_keep_closing_rate: z.literal(true),
    }),
    foundingFill: z.boolean(),
    generatedAt: z.iso.datetime(),
    llms_txt: z.string(),
    lockUntil: z.iso.date(),
    metric_definitions: z.record(z.string(), z.string()),
    operator: z.string(),
    patent_status: z.string(),
    platform: z.string(),
    rails: z.object({ autonomous: z.literal('x402_usdc_base'), default: z.literal('CARD') }),
    receipt_verification: z.string(),
  }),
  errors: [],
  http: { method: 'get', path: '/meta', status: 200 },
  rate: 'read',
  cache: { freshSeconds: 60, staleIfErrorSeconds: 86_400 },
  async handle({ now, baseUrl, settings }) {
    const { rates, version } = scheduleAt(FEE_SCHEDULES, now);
    const bands = viewBands(rates);
    const lockUntil = CHANGE_TERMS.lockUntil.slice(0, 10);
    const { privacy, prohibited, terms } = policyAddresses(
      settings.policies,
      settings.siteUrl ?? new URL(baseUrl).origin,
    );
    return {
      ...bands,
      brand: {
        apiKeyPrefix: BRAND.apiKeyPrefix,
        headerPrefix: 'X-MKT-',
        name: BRAND.platform,
        policies: { privacy, prohibited, terms },
      },
      buyerBps: rates.buyerBps,
      demand_ledger: `${baseUrl}/proof/demand`,
      established: FEE_SCHEDULES[0]?.effectiveAt.slice(0, 10) ?? lockUntil,
      fees: {
        banded: true as const,
        bands,
        buyer_fee_bps: rates.buyerBps,
        change_notice: `Changes are announced at least ${CHANGE_TERMS.noticeDays} days ahead and take effect no earlier than ${lockUntil}.`,
        listing_fee_bps: rates.listingBps,
        rate_change_notice_days: CHANGE_TERMS.noticeDays,
        rounding: ROUNDING,
        schedule_history: FEE_SCHEDULES.map(viewSchedule),
        schedule_version: version,
        seller_fee_bps: rates.standardBps,
        seller_keep_bps: BPS - rates.standardBps,
        settled_sales_keep_closing_rate: true as const,
      },
      foundingFill: now < epochOf(CHANGE_TERMS.lockUntil),
      generatedAt: isoTime(now),
      llms_txt: `${baseUrl}/llms.txt`,
      lockUntil,
      metric_definitions: METRIC_DEFINITIONS,
      operator: BRAND.operator,
      patent_status: 'none',
      platform: BRAND.platform,
      rails: { autonomous: 'x402_usdc_base' as const, default: 'CARD' as const },
      receipt_verification: `${baseUrl}/verify-receipt`,
    };
  },
});

const METRIC_DEFINITIONS = {
  armsLengthCents:
    'Paid volume between two accounts of which none is the operator’s or known to be affiliated. 0 until the operator has designated those.',
  depth: 'Live counterparties with a heartbeat in the last 120 seconds; never the number of listings.',
  listingCount: 'Active listings, reference listings left out.',
  settledSales: 'Settled purchases, those of reference listings left out.',
  totalQueriers: 'Distinct agents with a settled purchase: distinctBuyers of the demand ledger.',
  totalQueries: 'Settled purchases of any kind, free ones and those of reference listings included.',
  totalSales: 'settledSales.',
};
