import { describe, expect, it } from 'vitest';
import { DatabaseError } from '../kernel/ports/database.ts';
import {
  isCheck,
  isCheckOn,
  isConflict,
  isConflictIn,
  isDanglingReference,
  isGuard,
  isGuardIn,
  isRefused,
  isUnavailable,
} from './constraint.ts';
import { agents } from './tables/agents.ts';
import { listings } from './tables/listings.ts';
import { offers } from './tables/sales.ts';

const refused = (constraint: string) => new DatabaseError('constraint', constraint);

describe('why the database refused', () => {
  it.each([
    ['a conflict of one column', refused('agents.handle'), (e: unknown) => isConflict(e, agents.handle)],
    [
      'a conflict of two columns',
      refused('offers.listing_id, offers.buyer_id'),
      (e: unknown) => isConflict(e, offers.listingId, offers.buyerId),
    ],
    ['a conflict of a table', refused('agents.api_key_hash'), (e: unknown) => isConflictIn(e, agents)],
    ['a guard', refused('guard offer_open'), (e: unknown) => isGuard(e, 'offer_open')],
    ['a guard of several', refused('guard offer_open'), (e: unknown) => isGuardIn(e, 'offer_')],
    ['a CHECK', refused('reserved_not_overdrawn'), (e: unknown) => isCheck(e, 'reserved_not_overdrawn')],
    [
      'a CHECK without a name',
      refused('sold_count <= stock'),
      (e: unknown) => isCheckOn(e, listings.soldCount),
    ],
    ['a reference', refused('foreign key'), isDanglingReference],
  ])('%s', (_, error, is) => {
    expect(is(error)).toBe(true);
    expect(isRefused(error)).toBe(true);
    expect(is(refused('something_else'))).toBe(false);
    expect(is(new DatabaseError('broken', error.constraint))).toBe(false);
    expect(is(new Error(error.constraint))).toBe(false);
  });

  it('is not that it could not be reached', () => {
    const away = new DatabaseError('unavailable', 'D1_ERROR: connection lost');
    expect(isUnavailable(away)).toBe(true);
    expect(isRefused(away)).toBe(false);
    expect(isUnavailable(refused('agents.handle'))).toBe(false);
    expect(isUnavailable(new Error('connection lost'))).toBe(false);
  });
});
