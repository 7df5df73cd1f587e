import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, epochOf, HOUR_MS, type IsoTime, isoTime } from '../kernel/time.ts';
import {
  type ChangeOfDestination,
  chooseDestination,
  freezeEnds,
  frozenUntil,
  isAtOnce,
  stateOfChange,
} from './payout-change.rules.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const CHAIN = 8453;
const at = (hours: number): IsoTime => isoTime(NOW + hours * HOUR_MS);
const ACCOUNT = { accountId: 'acct_1', payoutsEnabled: true };
const wallet = (address: string) => ({ address, chainId: CHAIN });
const change = (hours: number, previous: string | null): ChangeOfDestination => ({
  kind: 'wallet',
  effectiveAt: at(hours),
  previous,
  previousChainId: previous === null ? null : CHAIN,
});

function paid(
  routes: Parameters<typeof chooseDestination>[0],
  dueAt: IsoTime,
  { wasRefused = false, now = NOW } = {},
) {
  return chooseDestination(routes, { dueAt, wasRefused }, { now, chainId: CHAIN })?.destination ?? null;
}

describe('where a sum goes', () => {
  it('is what was paid when it fell due, for every history of wallets', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: -200, max: 200 }), { maxLength: 5 }),
        fc.integer({ min: -200, max: 0 }),
        (hours, due) => {
          const times = hours.sort((a, b) => a - b);
          const changes = times.map((time, index) => change(time, `w${index}`));
          // Reckoned the other way round: by how many had taken effect.
          const expected = `w${times.filter((time) => time <= due).length}`;
          const routes = { wallet: wallet(`w${times.length}`), account: ACCOUNT, changes };
          expect(paid(routes, at(due))).toBe(expected);
          const now = `w${times.filter((time) => time <= 0).length}`;
          expect(paid(routes, at(due), { wasRefused: true })).toBe(now);
        },
      ),
    );
  });

  it('is the account before the first wallet took effect, and nowhere where that is to come', () => {
    const first = { wallet: wallet('w1'), account: ACCOUNT, changes: [change(1, null)] };
    expect([paid(first, at(0)), paid(first, at(0), { now: NOW + 2 * HOUR_MS })]).toEqual([
      'acct_1',
      'acct_1',
    ]);
    expect(paid(first, at(1), { now: NOW + 2 * HOUR_MS })).toBe('w1');
    const byLink = {
      wallet: null,
      account: ACCOUNT,
      changes: [{ ...change(1, null), kind: 'account' as const }],
    };
    expect([paid(byLink, at(0)), paid(byLink, at(0), { now: NOW + HOUR_MS })]).toEqual([null, 'acct_1']);
  });

  it('is neither an account that cannot be paid nor a wallet of another chain', () => {
    const off = { ...ACCOUNT, payoutsEnabled: false };
    expect(paid({ wallet: null, account: off, changes: [] }, at(0))).toBeNull();
    const elsewhere = { address: 'w1', chainId: CHAIN + 1 };
    expect(paid({ wallet: elsewhere, account: ACCOUNT, changes: [] }, at(0))).toBe('acct_1');
  });

  it('is the new one where the former cannot be paid any more, once that took effect', () => {
    const changes = [{ ...change(-1, 'w0'), previousChainId: CHAIN + 1 }];
    expect(paid({ wallet: wallet('w1'), account: null, changes }, at(-2))).toBe('w1');
    const toCome = [{ ...change(1, 'w0'), previousChainId: CHAIN + 1 }];
    expect(paid({ wallet: wallet('w1'), account: null, changes: toCome }, at(-2))).toBeNull();
  });
});

describe('a change', () => {
  it('is at once only with the key and where there is nothing yet, or where nobody is to wait', () => {
    const first = { hasDestination: false, hours: 48, hasCancelled: false };
    expect([isAtOnce('key', first), isAtOnce('claim_link', first)]).toEqual([true, false]);
    expect(isAtOnce('key', { ...first, hasDestination: true })).toBe(false);
    expect(isAtOnce('key', { ...first, hasCancelled: true })).toBe(false);
    expect(isAtOnce('claim_link', { hasDestination: true, hours: 0, hasCancelled: false })).toBe(true);
  });

  it('is pending to its very time, and freezes others for 7 days once it is cancelled', () => {
    const open = { cancelledAt: null, effectiveAt: at(0) };
    expect([stateOfChange(open, NOW - 1), stateOfChange(open, NOW)]).toEqual(['pending', 'effective']);
    expect(stateOfChange({ ...open, cancelledAt: at(-1) }, NOW)).toBe('cancelled');
    expect(freezeEnds(at(0))).toBe(isoTime(NOW + 7 * DAY_MS));
    const byKey = { requestedBy: 'key' as const, cancelledAt: at(0) };
    expect(frozenUntil([byKey], NOW + 7 * DAY_MS - 1)).toBe(freezeEnds(at(0)));
    expect([frozenUntil([byKey], epochOf(freezeEnds(at(0)))), frozenUntil([], NOW)]).toEqual([null, null]);
    const last = { requestedBy: 'claim_link' as const, cancelledAt: at(1) };
    expect(frozenUntil([last, byKey], NOW)).toBe(freezeEnds(at(1)));
  });

  it('that a link asked for keeps no seller without a destination from its first one, unlike one of the key', () => {
    const byLink = { requestedBy: 'claim_link' as const, cancelledAt: at(0) };
    const byKey = { requestedBy: 'key' as const, cancelledAt: at(-1) };
    expect(frozenUntil([byLink], NOW)).toBe(freezeEnds(at(0)));
    expect(frozenUntil([byLink], NOW, { isFirst: true })).toBeNull();
    expect(frozenUntil([byLink, byKey], NOW, { isFirst: true })).toBe(freezeEnds(at(-1)));
  });
});
