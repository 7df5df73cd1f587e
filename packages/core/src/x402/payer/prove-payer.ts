import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import * as z from 'zod';
import { accountSignature } from '../../kernel/account-signature.schema.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../../kernel/operation/operation.ts';
import type { Database } from '../../kernel/ports/database.ts';
import { epochOf } from '../../kernel/time.ts';
import {
  findSale,
  findTab,
  findUsdcPayments,
  isProofSpent,
  purchasePageOf,
  spendProof,
  type UsdcPayment,
} from '../../sales/index.ts';
import { digestsOfTab } from '../tabs/tab-parameters.ts';
import { x402Errors } from '../x402.errors.ts';
import { type PayerChallenge, readPayerMessage } from './payer-challenge.rules.ts';
import { isChallengeOfOurs } from './payer-challenge.ts';

/** Clause: x402 pay-per-query. A settled payment is public; the account's signature over a fresh message is not. */
export const provePayer = defineOperation({
  name: 'provePayer',
  summary: 'Open what you paid for over x402, by a signature of the account that paid.',
  description:
    'Takes the signature over the message of POST /marketplace/purchases/payer-challenge. `purchaseUrl` is the page of the ' +
    'purchase; its `token` collects the content at GET /marketplace/purchases/{id}, as the page does. Accounts of every ' +
    'kind can sign: ordinary ones, contracts (ERC-1271), and contracts yet to be deployed (ERC-6492).',
  area: 'Purchasing',
  auth: 'none',
  input: z.object({
    message: z.string().max(2_000).describe('Of the challenge, exactly as it was given.'),
    signature: accountSignature.describe('Of the account that paid, over the message.'),
  }),
  output: z.object({
    linkExpiresAt: z.iso.datetime(),
    purchaseId: z.uuid(),
    purchaseUrl: z.url(),
  }),
  errors: [
    x402Errors.payer_challenge_ended,
    x402Errors.payer_not_signed,
    x402Errors.payment_not_found,
    x402Errors.x402_not_available,
  ],
  http: { method: 'post', path: '/marketplace/purchases/payer-proof', status: 200 },
  rate: 'x402',
  replay: (ctx, outcome, { message }) => {
    const { purchaseId } = outcome as { purchaseId: string };
    return linkTo(ctx, purchaseId, readChallenge(ctx, String(message))?.queryKey ?? null);
  },
  async handle(ctx, { message, signature }) {
    const { ports, now } = ctx;
    const { chain, market } = ports;
    if (chain === null) throw new Refusal(x402Errors.x402_not_available);
    const challenge = readChallenge(ctx, message);
    const isOpen = challenge !== null && epochOf(challenge.expiresAt) > now;
    if (!isOpen || !(await isChallengeOfOurs(ports, challenge)))
      throw new Refusal(x402Errors.payer_challenge_ended);
    const { address: payer, paymentNonce: nonce } = challenge;
    // Before the chain is asked: a signature over nothing that was paid for costs a stranger's call to a node.
    const [recorded] = await findUsdcPayments(market, { payer, nonce, identifier: null });
    if (recorded === undefined) throw new Refusal(x402Errors.payment_not_found);
    const isSigned = await chain.hasSigned(payer, message, signature as Hex);
    if (isSigned === null) throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 5 });
    if (!isSigned) throw new Refusal(x402Errors.payer_not_signed);
    // Not before: whoever has not signed learns nothing of what was paid for.
    await requirePaidFor(market, recorded, challenge);
    const { purchaseId } = recorded;
    try {
      await ctx.commit(spendProof(purchaseId, challenge.issuedAt), { purchaseId });
    } catch (error) {
      throw isProofSpent(error) ? new Refusal(x402Errors.payer_challenge_ended) : error;
    }
    return linkTo(ctx, purchaseId, challenge.queryKey);
  },
});

async function requirePaidFor(
  market: Database,
  { purchaseId, parametersDigest }: UsdcPayment,
  challenge: PayerChallenge,
): Promise<void> {
  const sale = await findSale(market, purchaseId);
  // Null: paid before it was kept.
  const isOfQuery =
    (parametersDigest ?? challenge.parametersDigest) === challenge.parametersDigest ||
    (await isOfTab(market, purchaseId, challenge));
  if (sale?.listingId !== challenge.listingId || !isOfQuery) throw new Refusal(x402Errors.payment_not_found);
}

/** A tab is named by what was paid for it, as a number or as text. */
async function isOfTab(market: Database, id: string, { parametersDigest }: PayerChallenge): Promise<boolean> {
  const tab = await findTab(market, id);
  return tab !== null && (await digestsOfTab(tab)).includes(parametersDigest);
}

type LinkContext = Pick<OperationContext, 'ports' | 'baseUrl' | 'settings'>;

function readChallenge({ ports: { chain }, baseUrl }: LinkContext, message: string): PayerChallenge | null {
  return chain && readPayerMessage(message, { baseUrl, chainId: chain.token.chainId });
}

async function linkTo(
  { ports, baseUrl, settings: { siteUrl } }: LinkContext,
  purchaseId: string,
  queryKey: string | null,
) {
  const { url, expiresAt } = await purchasePageOf(ports, { baseUrl, siteUrl }, purchaseId, queryKey);
  return { linkExpiresAt: expiresAt, purchaseId, purchaseUrl: url };
}
