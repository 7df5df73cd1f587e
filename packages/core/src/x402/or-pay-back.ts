import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { commonErrors, type ErrorKind, Refusal, withUnknownCharge } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Chain, PaymentFault, TransferTrace } from '../kernel/ports/chain.ts';
import type { Listing } from '../listings/index.ts';
import {
  platformRefusal,
  recordUnsoldPayment,
  settlementErrors,
  settlementRefusal,
  TIME_FAULTS,
  type UsdcPayment,
} from '../sales/index.ts';
import { findRecorded } from './binding.ts';
import { USED_FAULT } from './pay-for-query.ts';
import type { SentPayment } from './read-payment.ts';
import { isOfAuthorization, networkHash, WAS_USED } from './used-payment.ts';
import { x402Errors } from './x402.errors.ts';

type Context = OperationContext<'optional'>;

/** A payment, and what it is sent for. */
export interface PaidOrder {
  readonly listing: Listing;
  readonly parameters: JsonObject;
  readonly sent: SentPayment;
  /** What is recorded of it. */
  readonly recorded: readonly UsdcPayment[];
  readonly opensTab?: true;
}

/** These say of themselves that the same payment is to be sent again. */
const PASSING: readonly ErrorKind[] = [
  'unavailable',
  'rate_limited',
  'internal',
  'upstream_failed',
  'upstream_timed_out',
];

/**
 * Answers a payment, or says why not and what becomes of its money. What its payer brought to the chain, before it came here
 * or since it was given up, moved money whatever is wrong with it: whoever were told that nothing was charged would pay
 * twice. So the chain is asked before it is refused for good, unless the answer is a refusal that comes from there. Who holds
 * a copy of it learns nothing of what it paid for. `order` is null where no payment came.
 */
export async function orPayBack<Answer>(
  ctx: Context,
  order: PaidOrder | null,
  answer: () => Promise<Answer | Refusal>,
): Promise<Answer> {
  const answered = await answer().catch(async (error: unknown) => {
    throw error instanceof Refusal && order !== null ? await afterChain(ctx, order, error) : error;
  });
  if (answered instanceof Refusal) throw answered;
  return answered;
}

/** What `answer` above gives for a payment that was refused as it was checked or settled. */
export async function refusalOfOutcome(
  ports: Context['ports'],
  fault: PaymentFault,
  refuse: (fault: PaymentFault) => Promise<Refusal>,
): Promise<Refusal> {
  const refusal = settlementRefusal(ports, fault) ?? (await refuse(fault));
  // What comes too late is refused before the chain is asked, and what was used may have moved money.
  if (OF_THE_PAST.includes(fault)) throw refusal;
  return refusal;
}

const OF_THE_PAST: readonly PaymentFault[] = [...Object.values(TIME_FAULTS), USED_FAULT];

async function afterChain(ctx: Context, order: PaidOrder, refusal: Refusal): Promise<Refusal> {
  const { chain } = ctx.ports;
  const { sent, recorded } = order;
  const { definition, details } = refusal;
  const authorization = sent.transfer?.authorization;
  if (chain === null || authorization?.to !== chain.payTo.toLowerCase()) return refusal;
  const earlier = recorded.filter((one) => isOfAuthorization(one, sent));
  // Of what was sold, and of what another request is at work on, the refusal says so itself.
  if (details.charged === null || earlier.some(({ isLive }) => isLive)) return refusal;
  // Should it not be sent again, nobody else would know of it; unless this very request wrote it down.
  if (definition === settlementErrors.settlement_pending && earlier.length === 0) {
    const known = await findRecorded(ctx.ports, { kind: 'read', payment: sent }).catch(() => []);
    if (!known.some((one) => isOfAuthorization(one, sent)))
      await record({ ...ctx, ports: { ...ctx.ports, chain } }, order, refusal, { transaction: null }).catch(
        ofAnotherRequest,
      );
  }
  if (definition.retryable || PASSING.includes(definition.kind))
    return earlier.length === 0 ? refusal : (withUnknownCharge(refusal, MAY_GO_BACK) as Refusal);
  const trace = await chain.find(authorization);
  const asksAnew = definition.kind === 'payment_required';
  switch (trace.kind) {
    case 'unused':
    case 'void':
      return refusal;
    case 'unavailable':
      return asksAnew
        ? platformRefusal(ctx.ports, 'chain', { charged: null, retryAfterSeconds: 5 })
        : (withUnknownCharge(refusal, MAY_GO_BACK) as Refusal);
    case 'settled':
    case 'pending':
      return onChain({ ...ctx, ports: { ...ctx.ports, chain } }, order, refusal, trace);
  }
}

/** A purchase lives by the payment by now, and it is known with it. */
function ofAnotherRequest(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

type OnChain = Extract<TransferTrace, { readonly kind: 'settled' | 'pending' }>;

async function onChain(
  ctx: Context & { readonly ports: { readonly chain: Chain } },
  order: PaidOrder,
  refusal: Refusal,
  trace: OnChain,
): Promise<Refusal> {
  const { sent, recorded } = order;
  const isRecorded = recorded.some((one) => isOfAuthorization(one, sent));
  const goesBack = isRecorded || (await record(ctx, order, refusal, trace));
  if (goesBack === null)
    return new Refusal(commonErrors.service_unavailable, { charged: null, retryAfterSeconds: 2 });
  const { definition } = refusal;
  if (definition.kind !== 'payment_required')
    return withUnknownCharge(refusal, goesBack ? GOES_BACK : IS_NOBODYS) as Refusal;
  if (trace.kind === 'pending')
    return new Refusal(settlementErrors.settlement_pending, { charged: true, retryAfterSeconds: 5 });
  const why = 'It does not fit: the price has changed, or it is for something else or too late.';
  const detail = `${why} ${goesBack ? GOES_BACK : IS_NOBODYS}`;
  return new Refusal(x402Errors.payment_spent, { ...WAS_USED, detail });
}

/** Whether a job has it from now on; null: the database did not say. */
async function record(
  ctx: Context & { readonly ports: { readonly chain: Chain } },
  { listing, parameters, sent, opensTab }: PaidOrder,
  { definition }: Refusal,
  { transaction }: Pick<OnChain, 'transaction'>,
): Promise<boolean | null> {
  const { ports, caller, settings } = ctx;
  const { transfer } = sent;
  if (transfer === null) return false;
  const offer = {
    transfer,
    parametersDigest: await canonicalDigest(parameters),
    network: await networkHash(ctx),
    ...(opensTab && { opensTab }),
  };
  const buyerId = caller?.agentId ?? null;
  const failure = definition.code;
  try {
    const isRecorded = await recordUnsoldPayment(ports, {
      listing,
      offer,
      buyerId,
      terms: settings,
      transaction,
      failure,
    });
    if (!isRecorded) ports.log.error('payment_of_nobody', { listingId: listing.id, transaction, failure });
    return isRecorded;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    ports.log.error('payment_not_recorded', { listingId: listing.id, transaction, message: String(error) });
    return null;
  }
}

const MAY_GO_BACK =
  'If this payment reached the chain, all that it moved goes back to the account that paid, a day after it came first.';

const GOES_BACK =
  'This payment reached the chain: all that it moved goes back to the account that paid, a day after it came first.';

const IS_NOBODYS =
  'This payment reached the chain, and nothing here sends it back by itself: write to the operator.';
