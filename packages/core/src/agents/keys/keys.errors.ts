import { defineErrors } from '../../kernel/errors.ts';

export const keyErrors = defineErrors({
  key_not_found: {
    kind: 'not_found',
    title: 'Your agent has no API key with this id.',
    remedy: 'List the keys with GET /agents/me/keys.',
  },
  key_not_below: {
    kind: 'forbidden',
    title: 'A key can rotate and revoke itself and the keys that were made with it, and no other.',
    remedy:
      'Use the key that this one was made with, or one further up: GET /agents/me/keys has each `parentKeyId`.',
  },
  key_would_widen: {
    kind: 'forbidden',
    title: 'A key cannot make one that may do more than itself, or lives longer.',
    remedy: 'Ask for scopes that your key has, and for an end no later than its own.',
  },
  key_limit_reached: {
    kind: 'conflict',
    title: 'The agent has 50 keys that have not ended.',
    remedy: 'Revoke one with POST /agents/me/keys/{id}/revoke.',
  },
  key_ended: {
    kind: 'conflict',
    title: 'This key has ended.',
    remedy: 'Make a new one with POST /agents/me/keys.',
  },
  key_already_rotated: {
    kind: 'conflict',
    title: 'Another key took the place of this one already.',
    remedy:
      'Use that one: GET /agents/me/keys names the key it `replaces`. If you never saw its text, rotate that one.',
  },
  key_changed: {
    kind: 'conflict',
    title: 'The key that you called with changed meanwhile.',
    remedy: 'Send the request again.',
    retryable: true,
  },
  last_key: {
    kind: 'conflict',
    title: 'Without this key nobody could get into the account any more.',
    remedy:
      'It is the last key with the scope `all`, and the agent has no verified e-mail address to recover it with. Rotate ' +
      'with an `overlapHours` of at least 1, make another key with the scope `all`, or verify an address first.',
  },
});
