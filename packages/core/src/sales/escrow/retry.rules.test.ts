import { expect, it } from 'vitest';
import type { Sale } from '../sale.ts';
import { isRetriable } from './retry.rules.ts';

const EARLIER = '2026-06-01T11:59:59.999Z';
const NOW = '2026-06-01T12:00:00.000Z';
const LATER = '2026-06-01T12:00:00.001Z';

/** Of a sale whose time in escrow is over, and whose payment nobody stops. */
const PAYMENT = {
  refundRequestedAt: null,
  holdUntil: NOW,
  reserveUntil: null,
  outcome: null,
} as unknown as Sale['payment'];
const DUE: Parameters<typeof isRetriable>[0] = {
  status: 'held',
  payment: PAYMENT,
  shipment: null,
  dispute: null,
  operatorHold: null,
};
const shipBy = (time: string) => ({ shipBy: time, shippedAt: null }) as Sale['shipment'];
const unshipped = { ...PAYMENT, holdUntil: null };
const dispute = (decision: string | null) => ({ decision }) as Sale['dispute'];
const hold = (liftedAt: string | null) => ({ liftedAt }) as Sale['operatorHold'];

it.each<[string, Partial<typeof DUE>, boolean]>([
  ['in escrow whose time is over', {}, true],
  ['in escrow a millisecond before its time', { payment: { ...PAYMENT, holdUntil: LATER } }, false],
  ['in escrow whose clock is stopped', { payment: { ...PAYMENT, holdUntil: null } }, false],
  ['not shipped in time', { payment: unshipped, shipment: shipBy(NOW) }, true],
  ['to be shipped for a millisecond more', { payment: unshipped, shipment: shipBy(LATER) }, false],
  [
    'not shipped in time, on hold',
    { payment: unshipped, shipment: shipBy(NOW), operatorHold: hold(null) },
    false,
  ],
  ['with an undecided dispute', { dispute: dispute(null) }, false],
  ['with a decided dispute', { dispute: dispute('release') }, true],
  ['on hold', { operatorHold: hold(null) }, false],
  ['whose hold was lifted', { operatorHold: hold(EARLIER) }, true],
  ['kept in reserve', { payment: { ...PAYMENT, reserveUntil: LATER, dueAt: LATER } }, false],
  ['whose reserve is over', { payment: { ...PAYMENT, reserveUntil: NOW, dueAt: NOW } }, true],
  [
    'to be refunded, whatever stops its clock',
    { payment: { ...PAYMENT, refundRequestedAt: EARLIER, holdUntil: null }, operatorHold: hold(null) },
    true,
  ],
  ['on its way to the seller', { status: 'releasing' }, true],
  ['reserved, and nothing decided', { status: 'authorized' }, false],
  [
    'reserved, whose end is decided',
    { status: 'authorized', payment: { ...PAYMENT, outcome: 'failed' } },
    true,
  ],
  ['that is over', { status: 'released' }, false],
])('a sale %s', (_name, more, expected) => {
  expect(isRetriable({ ...DUE, ...more }, NOW)).toBe(expected);
});
