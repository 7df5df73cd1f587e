import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import * as z from 'zod';
import { readAddress, withChecksum } from '../../kernel/address.ts';
import { Refusal } from '../../kernel/errors.ts';
import { jsonObjectUpTo } from '../../kernel/json/json-schema.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import { listingId } from '../../listings/index.ts';
import { queryKeyOf } from '../query-key.ts';
import { x402Errors } from '../x402.errors.ts';
import { CHALLENGE_MS, payerMessage } from './payer-challenge.rules.ts';
import { challengeNonce, RANDOM_BYTES } from './payer-challenge.ts';

/** Clause: x402 pay-per-query. */
export const challengePayer = defineOperation({
  name: 'challengePayer',
  summary: 'Get the message that proves a payment over x402 was yours.',
  description:
    'For whoever paid, and has neither the answer nor the link of the purchase nor what repeats the payment. The account ' +
    'that paid signs `message` (EIP-4361, signed as EIP-191 text), and POST /marketplace/purchases/payer-proof takes the ' +
    'signature. The answer is the same whether or not there is such a payment. Good once, for 10 minutes.',
  area: 'Purchasing',
  auth: 'none',
  input: z.object({
    listingId,
    parameters: jsonObjectUpTo(64 * 1024)
      .default({})
      .describe(
        'The query of the paid request, at most 64 KiB: that of its body, or of its URL each parameter with its text, or its texts. ' +
          'Of a tab, its `amountCents`.',
      ),
    payer: z.string().max(64).describe('The account that paid: 0x and 40 hex digits.'),
    paymentNonce: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, '0x and 64 hex digits.')
      .describe('`nonce` of the authorisation that was signed; the token tells it in AuthorizationUsed.'),
  }),
  opaqueFields: ['parameters'],
  output: z.object({
    expiresAt: z.iso.datetime(),
    message: z.string().describe('Sign it exactly as it is.'),
    payer: z.string(),
  }),
  errors: [x402Errors.payer_not_readable, x402Errors.x402_not_available],
  http: { method: 'post', path: '/marketplace/purchases/payer-challenge', status: 200 },
  rate: 'read',
  async handle({ ports, now, baseUrl }, { listingId, parameters, payer, paymentNonce }) {
    if (ports.chain === null) throw new Refusal(x402Errors.x402_not_available);
    const address = readAddress(payer);
    if (address === null) throw new Refusal(x402Errors.payer_not_readable);
    const nonceOfPayment = paymentNonce.toLowerCase() as Hex;
    const terms = {
      baseUrl,
      chainId: ports.chain.token.chainId,
      address,
      listingId,
      parametersDigest: await canonicalDigest(parameters),
      paymentNonce: nonceOfPayment,
      queryKey: await queryKeyOf(parameters, { payer: address, paymentNonce: nonceOfPayment }),
      issuedAt: isoTime(now),
      expiresAt: isoTime(now + CHALLENGE_MS),
    };
    const nonce = await challengeNonce(ports, terms, toHex(ports.ids.randomBytes(RANDOM_BYTES)));
    return {
      expiresAt: terms.expiresAt,
      message: payerMessage({ ...terms, nonce }),
      payer: withChecksum(address),
    };
  },
});
