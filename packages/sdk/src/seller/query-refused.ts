/**
 * Throw it in `deliver` for a query that you cannot answer, such as a city that does not exist: the buyer is not charged,
 * and it does not count as a failure of yours. For what you have no data on just now, return null instead.
 */
export class QueryRefused extends Error {
  override readonly name = 'QueryRefused';
}
