import { shardOf } from '../../bucket.ts';
import { commonErrors, Refusal } from '../../errors.ts';
import type { Runtime } from '../call.ts';
import type { AgentCaller, AnyOperation } from '../operation.ts';
import type { ParsedInput } from '../parse-input.ts';
import type { OperationRequest } from '../request-state.ts';

/** Fields whose id is in the bucket of the seller, where the row is. */
const PLACED = ['purchaseId', 'offerId', 'listingId'] as const;

/** Where the operation runs: where what its input names is, else where the caller is. */
export function atHome(
  request: OperationRequest,
  input: ParsedInput,
  caller: AgentCaller | null = null,
): OperationRequest {
  const { home } = request.runtime;
  if (home === undefined) return request;
  const id = placedIdOf(request.operation, input) ?? caller?.agentId;
  if (id === undefined) return request;
  const { findAgent } = request.runtime;
  return { ...request, runtime: { ...home(id), home, findAgent } };
}

/**
 * One commit is of one database: what would change rows of the caller beside those of a seller who is elsewhere is refused before
 * anything is reserved. docs/scale.md says how it is to cross.
 */
export function refuseAcross(
  { operation, runtime }: OperationRequest,
  input: ParsedInput,
  caller: AgentCaller | null,
): Refusal | null {
  const id = placedIdOf(operation, input);
  if (runtime.home === undefined || operation.replay === undefined || id === null || caller === null)
    return null;
  if (marketOf(runtime.home(id)) === marketOf(runtime.home(caller.agentId))) return null;
  const charged = operation.movesMoney ? { charged: false } : {};
  return new Refusal(commonErrors.service_unavailable, {
    detail: 'You and the seller are in different databases of the marketplace, which do not trade yet.',
    ...charged,
  });
}

const marketOf = ({ ports }: Runtime) => ports.market;

function placedIdOf({ input: { shape } }: AnyOperation, input: ParsedInput): string | null {
  const field = PLACED.find((name) => name in shape);
  const id = field === undefined ? undefined : (input as Readonly<Record<string, unknown>>)[field];
  return typeof id === 'string' ? id : null;
}

/** Runtimes over databases that share the buckets of ids in equal ranges, in order. A key is looked up in each of them. */
export function acrossShards(runtimes: readonly [Runtime, ...Runtime[]]): Runtime {
  const [first, ...others] = runtimes;
  if (others.length === 0) return first;
  return {
    ...first,
    home: (id) => runtimes[shardOf(id, runtimes.length)] ?? first,
    async findAgent(keyHash, now) {
      const found = await Promise.all(runtimes.map((one) => one.findAgent(keyHash, now)));
      return found.find(({ kind }) => kind !== 'unknown') ?? { kind: 'unknown' };
    },
  };
}
