import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import * as z from 'zod';
import { insertSeller } from '../../agents/index.ts';
import { readAddress, withChecksum } from '../../kernel/address.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import { isoTime } from '../../kernel/time.ts';
import {
  CHALLENGE_MS,
  challengeMessage,
  insertChallenge,
  NONCE_BYTES,
  payoutErrors,
} from '../../payouts/index.ts';

const ZERO: Hex = `0x${'0'.repeat(40)}`;

/** Clause: Payout wallet, POST /sell/payout-wallet/challenge. */
export const challengePayoutWallet = defineOperation({
  name: 'challengePayoutWallet',
  summary: 'Get the message that proves a wallet is yours.',
  description:
    'For sellers who are paid in USDC on Base, such as those in countries that the card processor does not serve. ' +
    'The account signs `message` (EIP-4361, signed as EIP-191 text) and POST /sell/payout-wallet takes the signature. ' +
    'Good once, for 10 minutes.',
  area: 'Selling',
  auth: 'agent',
  scope: 'manage',
  input: z.object({
    address: z.string().max(64).describe('Your account on Base: 0x and 40 hex digits.'),
  }),
  output: z.object({
    address: z.string(),
    chainId: z.int(),
    expiresAt: z.iso.datetime(),
    message: z.string().describe('Sign it exactly as it is.'),
    nonce: z.string(),
  }),
  errors: [
    commonErrors.smoke_test_isolated,
    payoutErrors.payout_wallet_not_usable,
    payoutErrors.usdc_payouts_not_available,
  ],
  http: { method: 'post', path: '/sell/payout-wallet/challenge', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { address: addressText }) {
    const { ports, now, caller, baseUrl } = ctx;
    if (caller.isSmokeTest) throw new Refusal(commonErrors.smoke_test_isolated);
    if (ports.chain === null)
      throw new Refusal(payoutErrors.usdc_payouts_not_available, { retryAfterSeconds: 3600 });
    const address = payableAddress(addressText, ports.chain);
    if (address === null) throw new Refusal(payoutErrors.payout_wallet_not_usable);
    const { chainId } = ports.chain.token;
    const nonce = toHex(ports.ids.randomBytes(NONCE_BYTES));
    const [issuedAt, expiresAt] = [isoTime(now), isoTime(now + CHALLENGE_MS)];
    const sellerId = caller.agentId;
    const message = challengeMessage({ baseUrl, sellerId, chainId, address, nonce, issuedAt, expiresAt });
    const answer = { address: withChecksum(address), chainId, expiresAt, message, nonce };
    await ctx.commit(
      [
        ...(caller.isSeller ? [] : [insertSeller(sellerId, null, issuedAt)]),
        insertChallenge({ nonce, sellerId, chainId, address, message, expiresAt }),
      ],
      answer,
    );
    return answer;
  },
});

/** USDC sent to the token's contract would be lost, and to the platform's own account would come back. */
function payableAddress(text: string, { token, payTo }: Chain): Hex | null {
  const address = readAddress(text);
  const unusable = [ZERO, token.address.toLowerCase(), payTo.toLowerCase()];
  return address === null || unusable.includes(address) ? null : address;
}
