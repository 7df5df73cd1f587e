import type { ClauseId } from './clauses/index.ts';

/**
 * Stands before the test, or the group of tests, that proves these clauses of the specification. It does nothing:
 * clauses/tags.ts reads it where it is written.
 */
export function clause(..._ids: readonly [ClauseId, ...ClauseId[]]): void {}
