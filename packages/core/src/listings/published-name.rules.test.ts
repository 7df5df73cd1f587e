import { describe, expect, it } from 'vitest';
import { holdsName } from './published-name.rules.ts';

describe('a name', () => {
  it.each([
    'By josephine q example.',
    { a: ['x', { b: 'JOSEPHINE  Q.\nEXAMPLE' }] },
    { first: 'Joséphine Q', last: 'Example' },
    { 'Josephine Q. Example': [61, 60] },
    { donors: [{ 'josephine q': 'Example' }] },
    'Josephine\u200b Q. Exam\u00adple',
  ])('is found in %j', (value) => {
    expect(holdsName(value, 'Josephine Q. Example')).toBe(true);
  });

  it.each(['An example of Josephine', 'Josephine Q Examples', { Josephine: 'R', Example: 1 }, null, 5])(
    'is not found in %j',
    (value) => {
      expect(holdsName(value, 'Josephine Q. Example')).toBe(false);
    },
  );
});
