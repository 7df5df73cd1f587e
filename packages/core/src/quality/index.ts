/** What deliveries of listings come to, measured from the outcomes of sales. */
export { type DeliveryMeasures, deliveredAttempt, undeliveredAttempt } from './attempt.rules.ts';
export { countAttempt, type MeasuredSale } from './attempts.store.ts';
export { measureListings } from './measure-listings.ts';
export {
  measuredDay,
  measuredView,
  type QualityStatement,
  qualityStatement,
} from './quality.schema.ts';
export { readDaysMeasured } from './read-days-measured.ts';
