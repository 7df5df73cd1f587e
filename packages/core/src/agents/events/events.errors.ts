import { defineErrors } from '../../kernel/errors.ts';

export const eventErrors = defineErrors({
  event_not_found: {
    kind: 'not_found',
    title: 'You have no event with this id.',
    remedy: 'Events are kept for 30 days: list them with GET /agents/me/events.',
  },
  no_callback_url: {
    kind: 'conflict',
    title: 'You have no callback URL that events are sent to.',
    remedy: 'Set `callbackUrl` with PATCH /agents/me, or read your events with GET /agents/me/events.',
  },
  redeliveries_spent: {
    kind: 'conflict',
    title: 'This event was sent again as often as it may be.',
    remedy: 'Read it with GET /agents/me/events.',
  },
});
