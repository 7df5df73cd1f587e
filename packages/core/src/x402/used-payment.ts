import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import { epochOf, MINUTE_MS } from '../kernel/time.ts';
import { isSettled, openQuery, REPEAT_MS, requireSale, type Sale, type UsdcPayment } from '../sales/index.ts';
import { bindingOf } from './binding.ts';
import { queryKeyOf } from './query-key.ts';
import type { SentPayment } from './read-payment.ts';
import { isResumeToken } from './resume-token.ts';
import { x402Errors } from './x402.errors.ts';

/** Not by this request; but it would be wrong to say that nothing was. */
export const WAS_USED = { charged: null } as const;

/** How long whoever comes from the same network is taken for the payer. */
const SAME_NETWORK_MS = MINUTE_MS;

type Context = Pick<OperationContext<'optional'>, 'ports' | 'now' | 'network' | 'caller'>;

/** A payment as it is sent now, and for what. */
export interface SentFor {
  readonly listingId: string;
  readonly parameters: JsonObject;
  readonly payment: SentPayment;
  /** The token of an earlier answer to the same payment. */
  readonly resume: string | null;
  /** What is recorded of its authorisation and of its id. */
  readonly recorded: readonly UsdcPayment[];
}

/** A payment that was used, sent again by its payer for what it was used for. */
export interface UsedPayment {
  readonly recorded: UsdcPayment;
  readonly sale: Sale;
}

/**
 * What was sold for this very payment before; null: nothing was. Anyone can read a settled payment on chain and send it
 * again: who does not show that it is its own is refused in the same way for every listing and query, so that nobody can
 * try out what somebody else paid for.
 */
export async function findUsedPayment(ctx: Context, sent: SentFor): Promise<UsedPayment | null> {
  const recorded = findLive(sent.recorded, sent.payment);
  if (recorded === undefined) return null;
  const sale = await requireSale(ctx.ports.market, recorded.purchaseId);
  if (isSpent(sale, ctx.now)) throw new Refusal(x402Errors.payment_spent, WAS_USED);
  const binding = await bindingOf(sent.listingId, sent.parameters, sent.payment);
  if (!(await isPayer(ctx, sent, binding, { recorded, sale })))
    throw new Refusal(x402Errors.resume_token_required, WAS_USED);
  if (recorded.binding !== binding) throw new Refusal(x402Errors.payment_used_elsewhere, WAS_USED);
  const { from: payer, nonce: paymentNonce } = recorded.authorization;
  const opened = await openQuery(sale, await queryKeyOf(sent.parameters, { payer, paymentNonce }));
  if (opened === null) throw new Error(`Its own payment does not open the query of purchase ${sale.id}.`);
  return { recorded, sale: opened };
}

/** Whether its payer sends what was given up as unpaid before, for the same: it may have been settled since. */
export async function isGivenUpBefore(ctx: Context, sent: SentFor): Promise<boolean> {
  const binding = await bindingOf(sent.listingId, sent.parameters, sent.payment);
  for (const recorded of sent.recorded) {
    if (recorded.isLive || !isOfAuthorization(recorded, sent.payment)) continue;
    const sale = await requireSale(ctx.ports.market, recorded.purchaseId);
    if ((await isPayer(ctx, sent, binding, { recorded, sale })) && recorded.binding === binding) return true;
  }
  return false;
}

/** Whether a payment shows something that is not on chain; it is bound to it. */
export function hasSecret({ identifier, challenge }: SentPayment): boolean {
  return identifier !== null || challenge !== null;
}

/** Whether the nonce of a payment is made of the challenge that was given for this very query, which is not on chain. */
export const isBoundByNonce = ({ protocol }: SentPayment): boolean => protocol === 'mpp';

/** What lives by the transfer that a payment carries, whichever id comes with it. */
export function findLive(recorded: readonly UsdcPayment[], payment: SentPayment): UsdcPayment | undefined {
  return recorded.find((one) => one.isLive && isOfAuthorization(one, payment));
}

/** Whether a record is of the transfer that a payment carries. */
export function isOfAuthorization({ authorization }: UsdcPayment, { transfer }: SentPayment): boolean {
  const { from, nonce } = authorization;
  return from === transfer?.authorization.from && nonce === transfer.authorization.nonce;
}

/** Its money went back or is on its way, or its day is over. */
function isSpent({ payment, status, deliveredAt }: Sale, now: number): boolean {
  if (payment.outcome !== null) return true;
  if (status === 'authorized') return false;
  return !isSettled(status) || deliveredAt === null || epochOf(deliveredAt) + REPEAT_MS <= now;
}

/**
 * Shows what is not on chain, as the key that it was bought with, or comes at once from where it was first sent, as clients
 * do whose answer was lost.
 */
async function isPayer(
  { ports, now, network, caller }: Context,
  { payment, resume }: SentFor,
  binding: string,
  { recorded, sale }: UsedPayment,
): Promise<boolean> {
  if (sale.buyerId !== null && sale.buyerId === caller?.agentId) return true;
  if (hasSecret(payment) && recorded.binding === binding) return true;
  if (payment.identifier !== null && payment.identifier === recorded.paymentIdentifier) return true;
  if (resume !== null && (await isResumeToken(ports, recorded, resume))) return true;
  const isSoon = now < epochOf(sale.createdAt) + SAME_NETWORK_MS;
  return isSoon && recorded.network === (await networkHash({ ports, network }));
}

/** The network that a payment comes from, as it is recorded. */
export function networkHash({ ports, network }: Pick<Context, 'ports' | 'network'>): Promise<string> {
  return ports.keyedHash.hex('x402_network', network);
}
