import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CardDispute } from '../../../kernel/ports/card-processor.ts';
import type { SaleStatus } from '../../sale-status.rules.ts';
import {
  type Chargeback,
  claimOf,
  coveredByWallet,
  isNews,
  lossCents,
  nextCheckAt,
  partOfSale,
  verdictOnSale,
  withNews,
} from './chargeback.rules.ts';

const AT = '2026-06-01T12:00:00.000Z';
const NOW = Date.parse(AT);
const dispute: CardDispute & { paymentId: string } = {
  disputeId: 'du_1',
  paymentId: 'pi_1',
  amountCents: 2000,
  status: 'open',
  withdrawnCents: 2000,
  reference: { kind: 'purchase', id: 'p' },
};
const sale = { purchaseId: 'p', topUpId: null, agentId: null };
const first = withNews(null, dispute, sale, AT);

describe('what is known of a chargeback', () => {
  it('is the latest, and begins when it was first heard of', () => {
    expect(first).toMatchObject({
      status: 'open',
      openedAt: AT,
      settledAt: null,
      coveredCents: 0,
      revision: 1,
    });
    const later = withNews(
      { ...first, coveredCents: 5 },
      { ...dispute, status: 'won' },
      sale,
      '2026-06-02T00:00:00.000Z',
    );
    expect(later).toMatchObject({ status: 'won', openedAt: AT, coveredCents: 5, revision: 2 });
  });

  it('is written down only where it differs', () => {
    const same = withNews(first, dispute, sale, '2026-06-02T00:00:00.000Z');
    expect(isNews(null, first)).toBe(true);
    expect(isNews(first, same)).toBe(false);
    const changes: Partial<Chargeback>[] = [
      { status: 'won' },
      { amountCents: 1 },
      { withdrawnCents: 0 },
      { coveredCents: 1 },
      { settledAt: AT },
      { sellerNotifiedAt: AT },
    ];
    for (const change of changes) expect(isNews(first, { ...same, ...change })).toBe(true);
  });

  it('is asked for again until nothing can come any more', () => {
    const settled = { ...first, settledAt: AT };
    expect(nextCheckAt(first, NOW)).toBe('2026-06-01T18:00:00.000Z');
    expect(nextCheckAt({ ...first, status: 'lost' }, NOW)).toBe('2026-06-01T12:05:00.000Z');
    expect(nextCheckAt({ ...settled, status: 'lost' }, NOW)).toBeNull();
    // Won, and the money is not back.
    expect(nextCheckAt({ ...settled, status: 'won' }, NOW)).not.toBeNull();
    const won = { ...settled, status: 'won' as const, withdrawnCents: 0 };
    // A sale that bore some of it is just being paid out.
    expect(nextCheckAt({ ...won, settledAt: null, coveredCents: 1 }, NOW)).not.toBeNull();
    expect(nextCheckAt(won, NOW)).toBeNull();
    // The seller, who was paid less, has it back with other payouts; the sale itself never has.
    expect(nextCheckAt({ ...won, coveredCents: 1 }, NOW)).toBeNull();
  });
});

describe('what it means for a sale', () => {
  const verdict = (status: Chargeback['status'], of: SaleStatus, withdrawnCents = 2000, others = 0) =>
    verdictOnSale(
      { status, withdrawnCents, coveredCents: 0 },
      { status: of, capturedCents: 2000, leftCents: 2000 },
      others,
    ).kind;

  it('the clock stands still while it is open, and goes on when it is won', () => {
    expect([verdict('open', 'held'), verdict('open', 'released'), verdict('won', 'held')]).toEqual([
      'wait',
      'wait',
      'settle',
    ]);
  });

  it('lost, it takes back what is in escrow, and waits for what is on its way', () => {
    expect(verdict('lost', 'held')).toBe('take_back');
    for (const status of ['pending_payment', 'releasing'] as const)
      expect(verdict('lost', status)).toBe('wait');
    expect([verdict('lost', 'authorized'), verdict('lost', 'authorized', 500)]).toEqual(['cancel', 'wait']);
    for (const status of ['released', 'refunded', 'expired', 'failed'] as const)
      expect(verdict('lost', status)).toBe('settle');
  });

  it('counts all that was taken together, and not cents that drifted', () => {
    expect(verdict('lost', 'held', 500)).toBe('take_part');
    expect(verdict('lost', 'held', 1000, 1000)).toBe('take_back');
    expect([verdict('lost', 'held', 1999), verdict('lost', 'held', 2001)]).toEqual([
      'take_back',
      'take_back',
    ]);
  });

  it('gives back what it took when it is won after all', () => {
    const won = { status: 'won', withdrawnCents: 0 } as const;
    const sale = { capturedCents: 2000, leftCents: 2000 };
    expect(verdictOnSale({ ...won, coveredCents: 2000 }, { ...sale, status: 'refunded' }).kind).toBe(
      'restore',
    );
    expect(verdictOnSale({ ...won, coveredCents: 500 }, { ...sale, status: 'held' })).toEqual({
      kind: 'take_part',
      cents: -500,
    });
  });

  it('takes a part from the share and the fee alike, to the cent however it is divided', () => {
    const terms = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.nat(), fc.nat(), fc.nat());
    fc.assert(
      fc.property(terms, ([amountCents, fee, one, two]) => {
        const platformFeeCents = fee % (amountCents + 1);
        const first = one % (amountCents + 1);
        const second = two % (amountCents - first + 1);
        const sale = { amountCents, platformFeeCents, takenNetCents: 0, takenFeeCents: 0 };
        const part = partOfSale(sale, first);
        const taken = { ...sale, takenNetCents: part.netCents, takenFeeCents: part.feeCents };
        const next = partOfSale(taken, second);
        const whole = partOfSale(sale, first + second);
        expect([part.netCents + next.netCents, part.feeCents + next.feeCents]).toEqual([
          whole.netCents,
          whole.feeCents,
        ]);
        expect(whole.netCents + whole.feeCents).toBe(first + second);
        expect(whole.netCents).toBeLessThanOrEqual(amountCents - platformFeeCents);
        expect(whole.feeCents).toBeLessThanOrEqual(platformFeeCents);
      }),
    );
  });
});

describe('what a wallet bears', () => {
  const wallet = (balanceCents: number, ownCents = 0) => ({ balanceCents, ownCents });
  const open = { status: 'open' as const, withdrawnCents: 2000 };
  const before = { withdrawnCents: 2000, coveredCents: 700, escrowCents: 0 };

  it('is what is in it when the money is taken, and no more of what is paid later', () => {
    expect(coveredByWallet(null, open, wallet(5000))).toBe(2000);
    expect(coveredByWallet(null, open, wallet(700))).toBe(700);
    expect(coveredByWallet(null, { ...open, withdrawnCents: 0 }, wallet(700))).toBe(0);
    expect(coveredByWallet(before, open, wallet(5000))).toBe(700);
    expect(coveredByWallet({ ...before, withdrawnCents: 0, coveredCents: 0 }, open, wallet(5000))).toBe(2000);
    expect(coveredByWallet(before, { ...open, status: 'lost' }, wallet(5000))).toBe(700);
  });

  it('grows with what comes back of the very top-up, up to what is short', () => {
    expect(coveredByWallet(before, open, wallet(5000, 800))).toBe(1500);
    expect(coveredByWallet(before, open, wallet(5000, 5000))).toBe(2000);
    expect(coveredByWallet({ ...before, coveredCents: 1700, escrowCents: 1000 }, open, wallet(9, 9))).toBe(
      709,
    );
  });

  it('is given back whole when the dispute is won', () => {
    const known = { withdrawnCents: 2000, coveredCents: 2000, escrowCents: 0 };
    const won = { status: 'won' as const, withdrawnCents: 0 };
    expect(coveredByWallet(known, won, wallet(0))).toBe(0);
    expect(coveredByWallet(known, won, wallet(50_000))).toBe(0);
  });

  it('lessens the loss', () => {
    expect(lossCents({ ...first, coveredCents: 700 })).toBe(1300);
  });
});

describe('what the seller of a sale that was paid out bears', () => {
  const sale = { amountCents: 2000, platformFeeCents: 100, takenNetCents: 0, takenFeeCents: 0 };
  const paid = { ...sale, transferredCents: 1900, withheldCents: 0 };
  const taken = (takenCents: number) => ({ takenCents, coveredCents: 0 });

  it('is its share of what the bank took, and the fee bears the rest', () => {
    expect([2000, 1000, 0].map((cents) => claimOf(paid, taken(cents)).claimCents)).toEqual([1900, 950, 0]);
  });

  it('is no more than it had of the sale, withheld or sent, whatever other disputes took', () => {
    expect(claimOf(paid, taken(2100)).claimCents).toBe(1900);
    expect(claimOf(paid, taken(2000), { takenCents: 1000, claimedCents: 950 }).claimCents).toBe(950);
    const withheld = { ...paid, transferredCents: 900, withheldCents: 1000 };
    expect(claimOf(withheld, taken(2000)).claimCents).toBe(1900);
    expect(claimOf({ ...paid, withheldCents: -500 }, taken(2000)).claimCents).toBe(1900);
  });

  it('is the same of two halves as of the whole', () => {
    const odd = { ...paid, amountCents: 2500, platformFeeCents: 125, transferredCents: 2375 };
    const half = claimOf(odd, taken(1250)).claimCents;
    const other = claimOf(odd, taken(1250), { takenCents: 1250, claimedCents: half }).claimCents;
    expect([half, other]).toEqual([1187, 1188]);
    expect(half + other).toBe(claimOf(odd, taken(2500)).claimCents);
    expect(claimOf(odd, taken(0), { takenCents: 1250, claimedCents: other }).claimCents).toBe(0);
  });

  it('counts what its payout lacked, since the bank had taken it before: it has that back where the bank gives it back', () => {
    const less = { ...paid, transferredCents: 1425, takenNetCents: 475, takenFeeCents: 25 };
    const claims = [0, 500, 2000].map((takenCents) => claimOf(less, { takenCents, coveredCents: 500 }));
    expect(claims).toEqual([
      { claimCents: 0, borneCents: 475 },
      { claimCents: 475, borneCents: 475 },
      { claimCents: 1900, borneCents: 475 },
    ]);
  });
});
