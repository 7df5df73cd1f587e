import { sha256Hex } from '../crypto/digest.ts';
import { serialise, sign } from '../crypto/seal.ts';
import type { Refusal } from '../errors.ts';
import type { EpochMs } from '../time.ts';
import type { Answer, Call, Limits, Runtime } from './call.ts';
import { claimIdempotency, replay } from './claim-idempotency.ts';
import { contextOf } from './context-of.ts';
import { findCaller, oneKey, requireOperator, takesApiKey } from './find-caller.ts';
import { count, parseOfStranger, readCounted } from './limit-rate.ts';
import { type AnyOperation, ExactAnswer, FileAnswer, WithHeaders } from './operation.ts';
import { parse } from './parse-input.ts';
import { rateKeyOf } from './rate-key.ts';
import { refusalOf } from './refusal-of.ts';
import { refuseSensitive } from './refuse-sensitive.ts';

export type { Answer, Call, Runtime } from './call.ts';

/**
 * The only way into an operation, for every transport: read, limit the rate, parse, find the caller, claim the
 * Idempotency-Key, handle, serialise once, sign, answer. A refusal goes the same way, so that it is signed too.
 */
export async function runOperation(operation: AnyOperation, runtime: Runtime, call: Call): Promise<Answer> {
  const now = runtime.ports.clock.now();
  const limits: Limits = { rate: null, fields: {} };
  try {
    const { output: answered, replayed } = await perform(operation, runtime, call, now, limits);
    noteChange(operation, runtime, call, replayed);
    if (answered instanceof ExactAnswer) return { kind: 'ok', rate: limits.rate, ...answered };
    if (answered instanceof FileAnswer) return await sendFile(answered, call, limits);
    const withHeaders = answered instanceof WithHeaders ? answered : null;
    const unsigned = await serialise(withHeaders?.output ?? answered, 'once');
    // Headers of its own may tell something new about a body that is known.
    if (withHeaders === null && isKnown(call, unsigned.digest)) {
      return { kind: 'not_modified', digest: unsigned.digest, rate: limits.rate };
    }
    const body = await sign(unsigned, runtime.ports.signer, now, call.baseUrl);
    const { digest } = unsigned;
    return { kind: 'ok', body, digest, rate: limits.rate, replayed, headers: withHeaders?.headers ?? {} };
  } catch (thrown) {
    const refusal = refusalOf(thrown, operation, runtime, call);
    const request = { ports: runtime.ports, now, fields: limits.fields };
    const own = await operation.refusals?.answer(refusal, request);
    return { ...(await refuse(own?.refusal ?? refusal, runtime, call, own?.body)), rate: limits.rate };
  }
}

/** A file is what its digest says: nothing is added to it. */
async function sendFile({ description, read }: FileAnswer, call: Call, { rate }: Limits): Promise<Answer> {
  const { digest } = description;
  if (isKnown(call, digest)) return { kind: 'not_modified', digest, rate };
  return { kind: 'ok', body: await read(), digest, rate, replayed: false, file: description };
}

function isKnown({ knownDigests }: Call, digest: string): boolean {
  return knownDigests === 'any' || knownDigests.includes(digest);
}

/** One line for every change made; reads are in the metrics of the platform. */
function noteChange(operation: AnyOperation, runtime: Runtime, call: Call, replayed: boolean): void {
  if (operation.replay === undefined) return;
  runtime.ports.log.info('operation', { requestId: call.requestId, operation: operation.name, replayed });
}

/** Signs a refusal, of an operation or of the transport: unknown paths, wrong methods. */
export async function refuse(
  refusal: Refusal,
  runtime: Runtime,
  call: Call,
  ownForm?: object,
): Promise<Extract<Answer, { kind: 'refused' }>> {
  const unsigned = await serialise(ownForm ?? runtime.problem(refusal, call));
  const body = await sign(unsigned, runtime.ports.signer, runtime.ports.clock.now(), call.baseUrl);
  return { kind: 'refused', body, refusal, rate: null, isOwnForm: ownForm !== undefined };
}

/** Begins at once, and never throws before it is awaited. */
async function prefetch(
  operation: AnyOperation,
  ports: Runtime['ports'],
  input: ReturnType<typeof parse>,
  now: EpochMs,
): Promise<unknown> {
  return operation.prefetch?.(ports, input, now);
}

async function perform(
  operation: AnyOperation,
  runtime: Runtime,
  call: Call,
  now: EpochMs,
  limits: Limits,
): Promise<{ output: object; replayed: boolean }> {
  const { ports } = runtime;
  await requireOperator(operation, runtime, call, limits);
  const { fields, apiKeys } = await readCounted(operation, runtime, call, limits);
  limits.fields = fields;
  const apiKey = oneKey(apiKeys);
  const keyHash = apiKey !== null && takesApiKey(operation) ? await sha256Hex(apiKey) : null;

  // A key that may be made up has no allowance of its own until it was found good.
  const isStranger = keyHash !== null && !ports.rateLimiter.keys.isKnown(keyHash);
  if (!isStranger) await count(operation, runtime, keyHash ?? rateKeyOf(call.clientAddress), limits);
  const input = isStranger
    ? await parseOfStranger(operation, runtime, call, fields, limits)
    : parse(operation, fields);
  const prefetching = prefetch(operation, ports, input, now);
  // Its failure is reported when it is awaited, after the caller was let through.
  prefetching.catch(() => {});
  const caller = await findCaller(operation, runtime, call, { keyHash, isStranger }, limits);
  refuseSensitive(operation, input);

  const claimed = await claimIdempotency(operation, runtime, call, keyHash, fields, now);
  if (claimed.kind === 'done') {
    const ctx = contextOf(runtime, call, caller, now, null);
    return { output: await replay(operation, ctx, claimed.outcome), replayed: true };
  }
  const tracked = claimed.kind === 'claimed' ? { claim: claimed.claim, completed: false } : null;
  try {
    const ctx = contextOf(runtime, call, caller, now, tracked);
    return { output: await operation.handle(ctx, input, await prefetching), replayed: false };
  } finally {
    if (tracked && !tracked.completed) ports.background.run(runtime.idempotency.release(tracked.claim));
  }
}
