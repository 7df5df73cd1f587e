import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { allErrors } from '@agent-marketplace/core/transport/openapi/errors.ts';
import { expect, test } from 'vitest';
import { forPeople } from './for-people.ts';

test.each(allErrors(documentedOperations))('$code is told in words for people', ({ title, remedy }) => {
  expect(forPeople(title, null)).not.toBe('');
  expect(forPeople(`${title} ${remedy}`, 40)).not.toMatch(
    /\b(GET|POST|PUT|PATCH|DELETE) \/|Retry-After|`|\dT\d/,
  );
});

test('what to do stays, without the route to it', () => {
  expect(forPeople('Add credits with POST /wallet/fund, or pay in another way.', null)).toBe(
    'Add credits, or pay in another way.',
  );
  expect(
    forPeople('It is gone. GET /sell/statements lists the months, each as 2026-11. Ask again.', null),
  ).toBe('It is gone. Ask again.');
  expect(forPeople('Wait for the seconds in `Retry-After`.', 40)).toBe('Wait 40 seconds.');
  expect(forPeople('Wait `Retry-After`, then try again.', 7200)).toBe('Wait 2 hours, then try again.');
  expect(forPeople('It opens at 2026-11-24T00:00:00.000Z. Use `detail`.', null)).toBe(
    'It opens at 2026-11-24 00:00 UTC. Use detail.',
  );
});
