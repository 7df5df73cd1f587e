import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followCredits, type WalletEntry } from './wallet-lots.rules.ts';

const entry = (kind: WalletEntry['kind'], reference: string, amountCents: number): WalletEntry => ({
  kind,
  reference,
  amountCents,
});
const sum = (parts: Iterable<number>): number => [...parts].reduce((all, cents) => all + cents, 0);

describe('where the money of a wallet is from', () => {
  it('what came in first is spent first, and goes back to where it was', () => {
    const entries = [
      entry('top_up', 'one', 1000),
      entry('top_up', 'two', 1000),
      entry('reserve', 'sale', -1500),
      entry('reserve', 'other', -300),
    ];
    const { left, paid } = followCredits(entries);
    expect([left.get('one'), left.get('two')]).toEqual([0, 200]);
    expect([...(paid.get('sale') ?? [])]).toEqual([
      ['one', 1000],
      ['two', 500],
    ]);
    const back = followCredits([...entries, entry('release_reserve', 'sale', 1500)]);
    expect([back.left.get('one'), back.left.get('two')]).toEqual([1000, 700]);
  });

  it('what a bank takes is of its own top-up first', () => {
    const { left } = followCredits([
      entry('top_up', 'one', 1000),
      entry('top_up', 'two', 1000),
      entry('chargeback', 'two:du_1:1', -1200),
    ]);
    expect([left.get('one'), left.get('two')]).toEqual([800, 0]);
  });

  it('never loses or makes a cent', () => {
    const steps = fc.array(
      fc.record({
        kind: fc.constantFrom('top_up', 'reserve', 'refund', 'chargeback'),
        cents: fc.integer({ min: 1, max: 900 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, fc.nat({ max: 500 }), (all, beforeCents) => {
        let balance = beforeCents;
        const open: [string, number][] = [];
        const entries: WalletEntry[] = [];
        all.forEach(({ kind, cents }, at) => {
          const back = kind === 'refund' ? open.pop() : undefined;
          if (kind === 'refund' && !back) return;
          const spends = kind === 'reserve' || kind === 'chargeback';
          const amount = back ? back[1] : spends ? -Math.min(cents, balance) : cents;
          if (amount === 0) return;
          if (kind === 'reserve') open.push([`p${at}`, -amount]);
          balance += amount;
          entries.push(entry(kind as WalletEntry['kind'], back?.[0] ?? `${kind}${at}`, amount));
        });
        const { left } = followCredits(entries, beforeCents);
        expect(sum(left.values())).toBe(balance);
        expect(Math.min(0, ...left.values())).toBe(0);
      }),
    );
  });
});
