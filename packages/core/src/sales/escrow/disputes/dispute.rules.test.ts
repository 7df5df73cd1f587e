import { describe, expect, it } from 'vitest';
import type { PurchaseReceipt, Shipment } from '../../sale.ts';
import { decisionOn, groundOf, mostOpenDisputes } from './dispute.rules.ts';

const receipt = (outputSchemaDigest: string | null | undefined) =>
  ({ statement: { contentDigest: 'sha256:a', outputSchemaDigest } }) as unknown as PurchaseReceipt;
const shipped = (shippedAt: string | null) => ({ shippedAt }) as Shipment;
const delivered = { contentDigest: 'sha256:a', receipt: receipt(null), shipment: null };
const other = { statement: { contentDigest: 'sha256:b' } } as never;
const GIVEN = { givenAt: '2026-01-01T00:00:00.000Z', redelivery: null, refreshedAt: null };

describe('where the money of an undecided dispute goes', () => {
  it.each([
    ['given in the reply', delivered, null, 'conformed'],
    ['given later, as the receipt names it', delivered, GIVEN, 'conformed'],
    ['checked against a schema', { ...delivered, receipt: receipt('sha256:s') }, GIVEN, 'conformed'],
    [
      'a second answer after the first',
      delivered,
      { ...GIVEN, redelivery: other, refreshedAt: GIVEN.givenAt },
      'conformed',
    ],
    ['shipped', { ...delivered, shipment: shipped(GIVEN.givenAt) }, null, 'conformed'],
    ['not shipped', { ...delivered, shipment: shipped(null) }, GIVEN, 'not_shipped'],
    ['not given', delivered, { ...GIVEN, givenAt: null }, 'not_given'],
    ['another answer in place of the first', delivered, { ...GIVEN, redelivery: other }, 'other_answer'],
    ['without a receipt', { ...delivered, receipt: null }, null, 'other_answer'],
    [
      'a receipt of before the check',
      { ...delivered, receipt: receipt(undefined) },
      null,
      'schema_unchecked',
    ],
  ] as const)('%s', (_, sale, answer, ground) => {
    expect(groundOf(sale, answer)).toBe(ground);
    expect(decisionOn(ground)).toBe(ground === 'conformed' ? 'release' : 'refund');
  });
});

it('each rejected dispute halves what may be open, down to one', () => {
  expect([0, 1, 2, 3, 4, 5, 1000].map(mostOpenDisputes)).toEqual([20, 10, 5, 2, 1, 1, 1]);
});
