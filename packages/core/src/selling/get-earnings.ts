import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { pageFields } from '../kernel/page-fields.ts';
import { isoTime } from '../kernel/time.ts';
import { readReserve } from '../sales/index.ts';
import { earningsFields, listingEarnings, payoutsWaiting, reserveField } from './dashboard.schema.ts';
import { listEarnings, readEarnings, readPayoutsWaiting } from './earnings.store.ts';

/** Clause: GET /sell/earnings. */
export const getEarnings = defineOperation({
  name: 'getEarnings',
  summary: 'What you earned: totals, and by listing.',
  description:
    'Counts paid sales. `limit` and `offset` page the listings; what earned most comes first. Refunded sales are not counted.',
  area: 'Selling',
  auth: 'seller',
  scope: 'read',
  input: z.object(pageFields),
  output: z.object({
    ...earningsFields,
    limit: z.int(),
    listings: z.array(listingEarnings).describe('Those that sold.'),
    offset: z.int(),
    payoutsWaiting: payoutsWaiting.nullable().describe('Due to you, and not sent yet; null: nothing waits.'),
    reserveCents: reserveField,
    total: z.int().describe('Of listings that sold.'),
  }),
  errors: [],
  http: { method: 'get', path: '/sell/earnings', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, caller, now }, page) {
    const [{ earnings, listings: total }, listings, waiting, reserveCents] = await Promise.all([
      readEarnings(market, caller.agentId),
      listEarnings(market, caller.agentId, page),
      readPayoutsWaiting(market, caller.agentId),
      readReserve(market, caller.agentId, isoTime(now)),
    ]);
    return {
      ...earnings,
      limit: page.limit,
      listings,
      offset: page.offset,
      payoutsWaiting: waiting,
      reserveCents,
      total,
    };
  },
});
