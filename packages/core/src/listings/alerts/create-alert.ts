import * as z from 'zod';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { wordsOf } from '../../search/index.ts';
import { category, price, vertical } from '../browse/search.schema.ts';
import { alertErrors, alertView, viewAlert } from './alerts.schema.ts';
import {
  type Alert,
  hasTooManyAlerts,
  hasVerifiedAddress,
  insertAlert,
  readActivations,
} from './alerts.store.ts';
import { findMatches } from './find-matches.ts';

const LASTS_MS = 180 * DAY_MS;

export const createAlert = defineOperation({
  name: 'createAlert',
  summary: 'Be told once when something is for sale that a search finds.',
  description:
    'For a search that finds nothing. The first listing of somebody else that has all words of `q` is told by the event ' +
    '`alert.matched`, and by mail where you want it; then the alert is over. It waits for 180 days, and you may have 20 that wait.',
  area: 'Listings',
  auth: 'agent',
  scope: ['buy', 'manage'],
  input: z.object({
    q: z.string().trim().min(1).max(200).optional().describe('As in GET /marketplace/listings.'),
    category,
    vertical,
    price,
    byMail: z
      .boolean()
      .default(false)
      .describe('To your address as well, once you have proved that it is yours.'),
  }),
  output: alertView,
  errors: Object.values({
    needed: alertErrors.alert_not_needed,
    limit: alertErrors.alert_limit_reached,
    address: alertErrors.email_not_verified,
  }),
  http: { method: 'post', path: '/agents/me/alerts', status: 201 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { q = null, category = null, vertical = null, price, byMail }) {
    const { ports, caller, now } = ctx;
    const isWordless = q !== null && wordsOf(q).length === 0;
    if (isWordless || (q === null && category === null && vertical === null)) {
      const message = isWordless ? 'It has no word to look for.' : 'Give words, a category or a vertical.';
      throw new Refusal(commonErrors.validation_failed, { fields: [{ message, path: 'q' }] });
    }
    const search = { agentId: caller.agentId, q, category, vertical, price };
    // Before what is for sale is looked at: what comes in between is looked at again.
    const checked = await readActivations(ports.market);
    const [found, hasAddress] = await Promise.all([
      findMatches(ports, search),
      byMail ? hasVerifiedAddress(ports.market, caller.agentId) : true,
    ]);
    if (found.length > 0) throw new Refusal(alertErrors.alert_not_needed);
    if (!hasAddress) throw new Refusal(alertErrors.email_not_verified);
    const alert: Alert = {
      id: ports.ids.uuid(),
      ...search,
      byMail,
      createdAt: isoTime(now),
      expiresAt: isoTime(now + LASTS_MS),
      checked,
      matchedAt: null,
      listingIds: null,
    };
    const answer = viewAlert(alert);
    try {
      await ctx.commit([insertAlert(alert)], answer);
    } catch (error) {
      throw hasTooManyAlerts(error) ? new Refusal(alertErrors.alert_limit_reached) : error;
    }
    return answer;
  },
});
