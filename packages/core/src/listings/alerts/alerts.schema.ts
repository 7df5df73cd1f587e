import * as z from 'zod';
import { defineErrors } from '../../kernel/errors.ts';
import type { Alert } from './alerts.store.ts';

export const alertErrors = defineErrors({
  alert_not_found: {
    kind: 'not_found',
    title: 'You have no such alert.',
    remedy: 'List yours with GET /agents/me/alerts.',
  },
  alert_not_needed: {
    kind: 'conflict',
    title: 'Something is for sale already that this search finds.',
    remedy: 'Search with GET /marketplace/listings.',
  },
  alert_limit_reached: {
    kind: 'conflict',
    title: 'You have 20 alerts that wait.',
    remedy: 'Remove one with DELETE /agents/me/alerts/{id}.',
  },
  email_not_verified: {
    kind: 'conflict',
    title: 'You have no e-mail address that you proved to be yours.',
    remedy: 'Verify yours with PATCH /agents/me, or leave `byMail` out: an event tells you as well.',
  },
});

export const alertId = z.uuid().toLowerCase().describe('Of the alert.');

export const alertView = z
  .object({
    byMail: z.boolean(),
    category: z.string().nullable(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso
      .datetime()
      .describe('Until then it waits; once something was found, until then it is shown.'),
    id: z.uuid(),
    listingIds: z.array(z.uuid()).describe('What was found; empty while it waits.'),
    matchedAt: z.iso.datetime().nullable().describe('Null while it waits.'),
    price: z.enum(['all', 'paid', 'free']),
    q: z.string().nullable(),
    vertical: z.string().nullable(),
  })
  .meta({ id: 'SearchAlert' });

export function viewAlert(alert: Alert): z.output<typeof alertView> {
  const { byMail, category, createdAt, expiresAt, id, listingIds, matchedAt, price, q, vertical } = alert;
  return {
    byMail,
    category,
    createdAt,
    expiresAt,
    id,
    listingIds: [...(listingIds ?? [])],
    matchedAt,
    price,
    q,
    vertical,
  };
}
