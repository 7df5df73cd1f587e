import { defineErrors } from '../../kernel/errors.ts';

export const passkeyErrors = defineErrors({
  enrolment_not_allowed: {
    kind: 'forbidden',
    title: 'This key cannot enrol a passkey.',
    remedy:
      'Within an hour of the registration a key with the scope `all` and without a budget can; later none.',
  },
  enrolment_link_over: {
    kind: 'forbidden',
    title: 'The link is not valid, or its time is over.',
    remedy: 'Use the link as it was mailed, within an hour.',
  },
  passkey_not_accepted: {
    kind: 'invalid',
    title: 'The answer of the passkey does not fit what it was asked.',
    remedy:
      'Ask for a new challenge and let the browser answer that. The person must be verified by its device.',
  },
  passkey_exists: {
    kind: 'conflict',
    title: 'This passkey is enrolled already.',
    remedy: 'List them with GET /agents/me/passkeys.',
  },
  too_many_passkeys: {
    kind: 'conflict',
    title: 'The agent has 10 passkeys.',
    remedy: 'Remove one with DELETE /agents/me/passkeys/{id}.',
  },
  passkey_not_found: {
    kind: 'not_found',
    title: 'Your agent has no passkey with this id.',
    remedy: 'List them with GET /agents/me/passkeys.',
  },
});
