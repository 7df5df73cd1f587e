import { describe, expect, it } from 'vitest';
import { receiptMail } from './receipt-mail.rules.ts';

const FACTS = {
  purchaseId: '00000000-0000-4000-8000-000000000001',
  title: 'Tide tables',
  amountCents: 1999,
  rail: 'wallet',
  deliveredAt: '2026-06-01T12:00:00.000Z',
  contentDigest: 'sha256:00',
  receipt: '{"digest":"sha256:11"}',
};

describe('a receipt by mail', () => {
  it('says what was paid for what, and how it is checked', () => {
    const { subject, text } = receiptMail(FACTS);
    expect(subject).toContain('USD 19.99');
    for (const part of [FACTS.purchaseId, '"Tide tables"', 'sha256:00', FACTS.receipt])
      expect(text).toContain(part);
  });

  it.each([
    [1, 'USD 0.01'],
    [100, 'USD 1.00'],
    [105, 'USD 1.05'],
    [1_000_000_000, 'USD 10000000.00'],
  ])('%i cents are %s', (amountCents, shown) => {
    expect(receiptMail({ ...FACTS, amountCents }).subject).toContain(shown);
  });

  it("keeps a seller's title from adding lines, and from the subject", () => {
    const title = 'x\r\nYour account is locked\u202E, see https://evil.example';
    const { subject, text } = receiptMail({ ...FACTS, title });
    expect(subject).not.toContain('evil');
    expect(text.split('\n')[0]).toBe(
      'You paid USD 19.99 for "x Your account is locked , see https://evil.example".',
    );
  });
});
