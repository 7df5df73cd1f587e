import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { ruleField } from '../../kernel/rule-field.ts';
import {
  findAgents,
  findListings,
  findPayments,
  findPurchases,
  PAYMENT_KINDS,
} from './found-records.store.ts';

const time = z.iso.datetime();

/** For the operator: everything that one id, handle, name, title, mail address or payment leads to. */
export const searchRecords = defineOperation({
  name: 'searchRecords',
  summary:
    'Find agents, listings, purchases and payments by an id, a handle, a name, a title, a mail address or a payment.',
  description:
    'For the operator. The id of an agent or of a listing finds what it sold and bought as well. A mail address is compared as a whole, ' +
    'with confirmed ones only, and is not answered. Payments are found by what the card processor or the chain calls them. ' +
    'At most 20 of each, the newest first; each search is an entry of the audit chain. Names and titles were written by strangers.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({
    q: z.string().trim().min(2).max(200).describe('What to find.'),
  }),
  output: z.object({
    agents: z.array(
      z.object({
        createdAt: time,
        displayName: z.string().nullable(),
        erasedAt: time.nullable(),
        handle: z.string(),
        id: z.uuid(),
        isSeller: z.boolean(),
        limitedSince: time.nullable().describe('Since when it buys nothing that has a price.'),
        name: z.string(),
        suspendedAt: time.nullable(),
        suspendedRule: ruleField.nullable(),
      }),
    ),
    listings: z.array(
      z.object({
        blockedAt: time.nullable(),
        blockedRule: ruleField.nullable(),
        createdAt: time,
        id: z.uuid(),
        priceCents: z.int(),
        sellerId: z.uuid(),
        status: z.enum(['pending', 'active', 'inactive']),
        title: z.string(),
      }),
    ),
    payments: z.array(
      z.object({
        agentId: z.uuid().nullable().describe('Who paid or was paid.'),
        amountCents: z.int(),
        createdAt: time,
        kind: z.enum(PAYMENT_KINDS),
        purchaseId: z.uuid().nullable(),
        reference: z.string().nullable().describe('What the card processor or the chain calls it.'),
        status: z.string(),
      }),
    ),
    purchases: z.array(
      z.object({
        amountCents: z.int(),
        buyerId: z.uuid().nullable(),
        createdAt: time,
        id: z.uuid(),
        listingId: z.uuid(),
        listingTitle: z.string(),
        rail: z.string(),
        sellerId: z.uuid(),
        status: z.string(),
      }),
    ),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/search', status: 200 },
  rate: 'read',
  audit: () => ({ subject: { type: 'search', id: null } }),
  async handle({ ports: { market } }, { q }) {
    const [agents, listings, payments] = await Promise.all([
      findAgents(market, q),
      findListings(market, q),
      findPayments(market, q),
    ]);
    const paid = payments.flatMap(({ purchaseId }) => purchaseId ?? []);
    return { agents, listings, payments, purchases: await findPurchases(market, q, paid) };
  },
});
