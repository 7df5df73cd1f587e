import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withheldCentsOf, withholdOf } from './withholding.rules.ts';

const claims = fc
  .array(fc.integer({ min: -3000, max: 3000 }).filter((cents) => cents !== 0))
  .map((all) => all.map((openCents, at) => ({ disputeId: `du_${at}`, openCents })));

it('never sends less than nothing, never withholds more than is open, and keeps what it could not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5000 }), claims, (netCents, all) => {
      const { withholdings, open } = withholdOf(netCents, all);
      expect(netCents - withheldCentsOf(withholdings)).toBeGreaterThanOrEqual(0);
      const sum = (of: readonly { readonly openCents: number }[]) =>
        of.reduce((cents, one) => cents + one.openCents, 0);
      expect(withheldCentsOf(withholdings) + sum(open)).toBe(sum(all));
      for (const { disputeId, cents } of withholdings) {
        const claimed = all.find((one) => one.disputeId === disputeId)?.openCents ?? 0;
        expect(Math.sign(cents)).toBe(Math.sign(claimed));
        expect(Math.abs(cents)).toBeLessThanOrEqual(Math.abs(claimed));
      }
    }),
  );
});

it('withholds of the oldest claim first, and gives all back at once', () => {
  const [first, second, back] = [
    { disputeId: 'first', openCents: 700 },
    { disputeId: 'second', openCents: 700 },
    { disputeId: 'back', openCents: -400 },
  ];
  expect(withholdOf(1000, [first, second])).toEqual({
    withholdings: [
      { disputeId: 'first', cents: 700 },
      { disputeId: 'second', cents: 300 },
    ],
    open: [{ disputeId: 'second', openCents: 400 }],
  });
  expect(withholdOf(0, [back])).toEqual({ withholdings: [{ disputeId: 'back', cents: -400 }], open: [] });
});
