import { describe, expect, it } from 'vitest';
import type { CardDispute } from '../../../kernel/ports/card-processor.ts';
import type { SaleStatus } from '../../sale-status.rules.ts';
import {
  type Chargeback,
  coveredByWallet,
  isNews,
  lossCents,
  nextCheckAt,
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
    // Won, and the money is not back, or has no room in the wallet.
    expect(nextCheckAt({ ...settled, status: 'won' }, NOW)).not.toBeNull();
    expect(
      nextCheckAt({ ...settled, status: 'won', withdrawnCents: 0, coveredCents: 1 }, NOW),
    ).not.toBeNull();
    expect(nextCheckAt({ ...settled, status: 'won', withdrawnCents: 0 }, NOW)).toBeNull();
  });
});

describe('what it means for a sale', () => {
  const verdict = (status: Chargeback['status'], of: SaleStatus, withdrawnCents = 2000) =>
    verdictOnSale({ status, withdrawnCents }, { status: of, capturedCents: 2000 });

  it('the clock stands still while it is open, and goes on when it is won', () => {
    expect([verdict('open', 'held'), verdict('open', 'released'), verdict('won', 'held')]).toEqual([
      'wait',
      'wait',
      'settle',
    ]);
  });

  it('lost, it takes back what is in escrow, and waits for what is on its way', () => {
    expect(verdict('lost', 'held')).toBe('take_back');
    for (const status of ['pending_payment', 'authorized', 'releasing'] as const)
      expect(verdict('lost', status)).toBe('wait');
    for (const status of ['released', 'refunded', 'expired', 'failed'] as const)
      expect(verdict('lost', status)).toBe('settle');
  });

  it('a part of the price decides nothing about the sale', () => {
    expect(verdict('lost', 'held', 500)).toBe('settle');
  });
});

describe('what a wallet bears', () => {
  const wallet = (balanceCents: number) => ({ balanceCents, capCents: 50_000 });
  const open = { status: 'open' as const, withdrawnCents: 2000 };

  it('is what is in it when the money is taken, and no more of what comes later', () => {
    expect(coveredByWallet(null, open, wallet(5000))).toBe(2000);
    expect(coveredByWallet(null, open, wallet(700))).toBe(700);
    expect(coveredByWallet(null, { ...open, withdrawnCents: 0 }, wallet(700))).toBe(0);
    expect(coveredByWallet({ withdrawnCents: 2000, coveredCents: 700 }, open, wallet(5000))).toBe(700);
    expect(coveredByWallet({ withdrawnCents: 0, coveredCents: 0 }, open, wallet(5000))).toBe(2000);
    const lost = { ...open, status: 'lost' as const };
    expect(coveredByWallet({ withdrawnCents: 2000, coveredCents: 700 }, lost, wallet(5000))).toBe(700);
  });

  it('is given back when the dispute is won, as far as the wallet has room', () => {
    const known = { withdrawnCents: 2000, coveredCents: 2000 };
    const won = { status: 'won' as const, withdrawnCents: 0 };
    expect(coveredByWallet(known, won, wallet(0))).toBe(0);
    expect(coveredByWallet(known, won, wallet(49_000))).toBe(1000);
    expect(coveredByWallet(known, won, wallet(50_000))).toBe(2000);
  });

  it('lessens the loss', () => {
    expect(lossCents({ ...first, coveredCents: 700 })).toBe(1300);
  });
});
