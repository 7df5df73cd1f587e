import { defineErrors } from '../kernel/errors.ts';

export const x402Errors = defineErrors({
  payment_required: {
    kind: 'payment_required',
    title: 'This query is paid for with a signed transfer of USDC.',
    remedy:
      'Sign one of `accepts` and send the request again with X-PAYMENT or PAYMENT-SIGNATURE, or answer the challenge in WWW-Authenticate with `Authorization: Payment`.',
  },
  payment_refused: {
    kind: 'payment_required',
    title: 'The payment does not meet the terms. Nothing was charged.',
    remedy:
      'See `error` for the reason, and sign one of `accepts`, or answer the challenge in WWW-Authenticate anew.',
  },
  payment_malformed: {
    kind: 'invalid',
    title: 'The payment cannot be read.',
    remedy:
      'Send it as x402 or MPP describes it, at most 16 KiB: base64 of a JSON object in a header, or in a tool call the object itself in `_meta`.',
  },
  two_payments: {
    kind: 'invalid',
    title: 'The request carries more than one payment, and none of them was looked at.',
    remedy:
      'Send one of them, in one place: X-PAYMENT for x402 version 1, PAYMENT-SIGNATURE for version 2, `Authorization: Payment` for MPP, a field of the body, or `_meta` of a tool call. If one was sent before, send that one.',
  },
  query_too_long: {
    kind: 'invalid',
    title: 'The query is too long for the headers that x402 repeats it in.',
    remedy:
      'Keep the query string below 7000 characters, send the query in a body with POST /x402/listings/{id}/query, or buy with POST /marketplace/listings/{id}/purchase.',
  },
  payment_used_elsewhere: {
    kind: 'conflict',
    title: 'This payment was used already: for something else, or by another protocol.',
    remedy:
      'Send it as it was sent first, by the same protocol and for the same: a query of a listing, or a tab. It then brings what it paid for. Sign a new payment only for something else.',
  },
  payment_identifier_reused: {
    kind: 'conflict',
    title: 'This payment id was used with another payment.',
    remedy: 'Send the same payment as before with it, or a fresh id with a fresh payment.',
  },
  payment_spent: {
    kind: 'conflict',
    title: 'This payment was used up, and brings nothing more.',
    remedy:
      'Its money went back or is on its way, or its sale is more than a day old. Then the page of the purchase still has what was bought: open its `purchaseUrl`, which POST /marketplace/purchases/payer-challenge gives anew to the account that paid. Sign another payment for a new answer, or another tab.',
  },
  resume_token_required: {
    kind: 'conflict',
    title: 'This payment was used, and nothing shows that it is yours.',
    remedy:
      'If it paid for this very listing and query, send X-MKT-Resume with the value that the first answer to this payment carried, or open the purchase with its `purchaseUrl`, which POST /marketplace/purchases/payer-challenge gives anew to the account that paid. Payments of x402 version 2 show it by `accepted.extra.challenge`, sent back as it was given. One that opened a tab goes to POST /x402/tabs again, and shows the tab. Otherwise sign a payment of its own.',
  },
  payer_not_readable: {
    kind: 'invalid',
    title: 'This is no account on the chain.',
    remedy: 'Send 0x and 40 hex digits: all in one case, or with the checksum of EIP-55.',
  },
  payer_challenge_ended: {
    kind: 'conflict',
    title: 'This challenge is unknown, used or expired.',
    remedy:
      'Ask for a fresh one with POST /marketplace/purchases/payer-challenge; each is good once, for 10 minutes.',
  },
  payer_not_signed: {
    kind: 'unprocessable',
    title: 'The signature is not of the account that paid over the message of the challenge.',
    remedy: 'Have the account sign the exact `message` of the challenge (EIP-191), and send the signature.',
  },
  payment_not_found: {
    kind: 'not_found',
    title: 'No payment is recorded here for this account, nonce, listing and query.',
    remedy:
      'Ask for the challenge with the listing that you paid for, and in `parameters` the query as you sent it: the `query` of a body, or a query string as an object of texts; of a tab its `amountCents`.',
  },
  not_over_x402: {
    kind: 'conflict',
    title: 'This listing is not sold over x402.',
    remedy:
      'Buy with POST /marketplace/listings/{id}/purchase: personal health data needs a known buyer and an attestation, and a price may be too small for the chain.',
  },
  scarce_to_contract: {
    kind: 'conflict',
    title:
      'A smart account that has not paid here before cannot pay for a limited or exclusive listing over x402.',
    remedy: 'Pay from an ordinary account, or buy with POST /marketplace/listings/{id}/purchase.',
  },
  x402_not_available: {
    kind: 'unavailable',
    title: 'Nothing is paid for in USDC here.',
    remedy:
      'No chain is configured in this deployment, which waiting does not change: buy with POST /marketplace/listings/{id}/purchase.',
  },
});
