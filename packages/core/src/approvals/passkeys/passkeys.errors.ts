import { defineErrors } from '../../kernel/errors.ts';

export const passkeyErrors = defineErrors({
  enrolment_not_allowed: {
    kind: 'forbidden',
    title: 'This key cannot enrol or remove a passkey.',
    remedy:
      'The first one is enrolled with a key that has the scope `all` and no budget, within an hour of the registration. ' +
      'Later and for further ones, have such a key mail a link to your verified address: POST /agents/me/passkeys/link.',
  },
  enrolment_link_over: {
    kind: 'forbidden',
    title: 'The link is not valid, was used, or its time is over.',
    remedy: 'Use the link as it was mailed, once, within an hour. Another: POST /agents/me/passkeys/link.',
  },
  email_not_verified: {
    kind: 'conflict',
    title: 'The agent has no verified e-mail address.',
    remedy:
      'Send `email` with PATCH /agents/me, with a key that has the scope `all` and no budget, and have its reader confirm it.',
  },
  too_many_links: {
    kind: 'rate_limited',
    title: 'Ten such links were mailed to this person within a day.',
    remedy: 'Use one of them, or ask again tomorrow.',
    retryable: true,
  },
  passkey_not_accepted: {
    kind: 'invalid',
    title: 'The answer of the passkey does not fit what it was asked.',
    remedy:
      'Ask for a new challenge and let the browser answer that, once. The person must be verified by its device.',
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
