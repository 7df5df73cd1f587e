import { defineErrors } from '../kernel/errors.ts';

export const sellingErrors = defineErrors({
  endpoint_not_verified: {
    kind: 'upstream_failed',
    title: 'The delivery endpoint did not pass the verification challenge.',
    remedy:
      'Have it answer a verification_challenge with HTTP 200 and a JSON object whose `nonce` is the nonce ' +
      'it was sent, then call again: every call sends a fresh nonce.',
  },
  endpoint_timed_out: {
    kind: 'upstream_timed_out',
    title: 'The delivery endpoint did not answer the verification challenge in time.',
    remedy: 'Have it answer within 15 seconds, then call again: every call sends a fresh nonce.',
    retryable: true,
  },
  endpoint_taken: {
    kind: 'conflict',
    title: 'Another seller has verified this URL, or one that differs in query, trailing slash or case only.',
    remedy:
      'Have the server answer the challenge with your `sellerId` beside the `nonce`, which shows that it is yours, or ' +
      'register another path. It should answer only messages that name you in X-MKT-Seller-Id.',
  },
  endpoint_already_set: {
    kind: 'conflict',
    title: 'This seller has a verified delivery endpoint already.',
    remedy:
      'A claim link sets the first endpoint only. Change it with the API key of the seller: POST /sell/callback.',
  },
  claim_not_found: {
    kind: 'not_found',
    title: 'This claim link is unknown or has expired.',
    remedy: 'A claim link works for 7 days. Ask the agent that sent it to create a new one.',
  },
  delivery_not_pending: {
    kind: 'not_found',
    title: 'No message with this id waits for your answer.',
    remedy: 'It was answered or its time ran out. List what is waiting with GET /sell/deliveries.',
  },
});
