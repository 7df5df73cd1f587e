import * as z from 'zod';
import { signedStatementOf } from '../provenance/index.ts';
import { MIN_SAMPLES } from './measure.rules.ts';

const share = z.number().min(0).max(1);

const halfWithin = z
  .int()
  .nullable()
  .describe('Half of the deliveries took no longer; up to 19% above the true figure.');
const nearlyAllWithin = z
  .int()
  .nullable()
  .describe('19 of 20 deliveries took no longer; up to 19% above the true figure.');

const figures = {
  buyers30d: z.int().describe('Buyers that can be told apart: keys, and wallets of payers without one.'),
  declinedRate: share.describe(
    'Queries that the seller refused with a 4xx that is about the query, of all attempts.',
  ),
  measuredAt: z.iso.datetime(),
  p50Ms: halfWithin,
  p95Ms: nearlyAllWithin,
  samples: z.int().describe('Attempts of the last 30 days, at most 20 of one buyer a day.'),
  schemaValidRate: share
    .nullable()
    .describe('Of the answers that were held against the outputSchema, those that fitted.'),
  successRate: share
    .nullable()
    .describe(
      'At least this share of the attempts brings data: the lower end of the 95% Wilson interval, declined queries left out.',
    ),
  uptime: share
    .nullable()
    .describe('Of the hours in which the endpoint was asked, those in which it answered.'),
};

/** What deliveries of a listing came to, measured by the marketplace. */
export const measuredView = z
  .object(figures)
  .meta({ id: 'MeasuredQuality' })
  .nullable()
  .describe(`Measured deliveries of the last 30 days; null under ${MIN_SAMPLES} attempts.`);

/** The attempts of one day. */
export const measuredDay = z
  .object({
    attempts: z.int().describe('At most 20 of one buyer.'),
    day: z.iso.date(),
    declined: z.int().describe('Queries that the seller refused with a 4xx.'),
    delivered: z.int(),
    deliveredShare: share.nullable().describe('Of the attempts that were not declined; null without one.'),
    p50Ms: halfWithin,
    p95Ms: nearlyAllWithin,
  })
  .meta({ id: 'MeasuredDay' });

/** The same, as a statement that stands by itself. */
export const qualityStatement = signedStatementOf(
  z.object({ ...figures, listingId: z.uuid(), sellerId: z.uuid(), type: z.literal('listing_quality') }),
);

export type QualityStatement = z.output<typeof qualityStatement>;
