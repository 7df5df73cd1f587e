import type { z } from 'zod';
import { canonicalJson } from './canonical-json.ts';
import { sha256Hex } from './digest.ts';
import { commonErrors, type ErrorDefinition, type FieldError, Refusal } from './errors.ts';
import type { IdempotencyClaim, IdempotencyRecords } from './idempotency.ts';
import type { Json } from './json.ts';
import {
  type AgentCaller,
  type AnyOperation,
  ExactAnswer,
  type OperationContext,
  type Settings,
} from './operation.ts';
import { DatabaseError, type Ports, type RateDecision } from './ports.ts';
import { serialise, sign } from './seal.ts';
import type { Digest } from './signed-statement.ts';
import type { EpochMs } from './time.ts';

/** What a Worker composes once and every call uses. */
export interface Runtime {
  readonly ports: Ports;
  readonly settings: Settings;
  readonly idempotency: IdempotencyRecords;
  findAgent(apiKeyHash: string): Promise<AgentCaller | null>;
  /** The body of an error answer, as the transports show it. */
  problem(refusal: Refusal, call: Call): object;
}

/** One request, already freed of its transport. */
export interface Call {
  /** Reads the input by the operation's own field names; may throw a Refusal. */
  readInput(): Promise<{ fields: Record<string, unknown>; apiKeys: readonly string[] }>;
  /** Wire name of a field, for error messages. */
  wireName(field: string): string;
  readonly clientAddress: string;
  readonly requestId: string;
  readonly baseUrl: string;
  readonly isOperator: boolean;
  readonly referer: string | null;
  readonly headerFields?: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | null;
  /** Digests that the caller already holds. */
  readonly knownDigests: readonly string[];
}

export type Answer =
  | {
      readonly kind: 'ok';
      readonly body: Uint8Array;
      readonly digest: Digest;
      readonly rate: RateDecision | null;
      readonly replayed: boolean;
    }
  | { readonly kind: 'not_modified'; readonly digest: Digest; readonly rate: RateDecision | null }
  | {
      readonly kind: 'refused';
      readonly body: Uint8Array;
      readonly refusal: Refusal;
      readonly rate: RateDecision | null;
      /** A statement of the operation's own, not a problem. */
      readonly isOwnForm?: boolean;
    };

/**
 * The only way into an operation, for every transport: find the caller, limit the rate, parse, handle,
 * serialise once, sign, answer. A refusal goes the same way, so that it is signed too.
 */
export async function runOperation(operation: AnyOperation, runtime: Runtime, call: Call): Promise<Answer> {
  const now = runtime.ports.clock.now();
  const limits: Limits = { rate: null, fields: {} };
  try {
    const { output, replayed } = await perform(operation, runtime, call, now, limits);
    noteChange(operation, runtime, call, replayed);
    if (output instanceof ExactAnswer) return { kind: 'ok', rate: limits.rate, ...output };
    const unsigned = await serialise(output, 'once');
    if (call.knownDigests.includes(unsigned.digest)) {
      return { kind: 'not_modified', digest: unsigned.digest, rate: limits.rate };
    }
    const body = await sign(unsigned, runtime.ports.signer, now, call.baseUrl);
    return { kind: 'ok', body, digest: unsigned.digest, rate: limits.rate, replayed };
  } catch (thrown) {
    const refusal = refusalOf(thrown, operation, runtime, call);
    const request = { ports: runtime.ports, now, fields: limits.fields };
    const own = await operation.refusals?.answer(refusal, request);
    return { ...(await refuse(own?.refusal ?? refusal, runtime, call, own?.body)), rate: limits.rate };
  }
}

/** What is known of a call before it ends, whichever way. */
interface Limits {
  rate: RateDecision | null;
  fields: Readonly<Record<string, unknown>>;
}

/** One line for every change made; reads are in the platform's own request log. */
function noteChange(operation: AnyOperation, runtime: Runtime, call: Call, replayed: boolean): void {
  if (operation.replay === undefined) return;
  runtime.ports.log.info('operation', { requestId: call.requestId, operation: operation.name, replayed });
}

/** Signs a refusal that no operation made: unknown paths, wrong methods. */
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

async function perform(
  operation: AnyOperation,
  runtime: Runtime,
  call: Call,
  now: EpochMs,
  limits: Limits,
): Promise<{ output: object; replayed: boolean }> {
  const { ports } = runtime;
  const { fields, apiKeys } = await readCounted(operation, runtime, call, limits);
  limits.fields = fields;
  const apiKey = oneKey(apiKeys);
  const keyHash = apiKey !== null && operation.auth !== 'none' ? await sha256Hex(apiKey) : null;

  limits.rate = await ports.rateLimiter.take(operation.rate, keyHash ?? call.clientAddress);
  if (!limits.rate.allowed) throw tooMany(limits.rate);

  const input = parse(operation, fields);
  const prefetching: Promise<unknown> | undefined = operation.prefetch?.(ports, input, now);
  // Its failure is reported when it is awaited, after the caller was let through.
  prefetching?.catch(() => {});
  const caller = await findCaller(operation, runtime, call, keyHash);

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

/** Input that cannot even be read says nothing of its caller: it counts against the address. */
async function readCounted(operation: AnyOperation, runtime: Runtime, call: Call, limits: Limits) {
  try {
    return await call.readInput();
  } catch (unreadable) {
    limits.rate = await runtime.ports.rateLimiter.take(operation.rate, call.clientAddress);
    throw limits.rate.allowed ? unreadable : tooMany(limits.rate);
  }
}

function oneKey(apiKeys: readonly string[]): string | null {
  const distinct = new Set(apiKeys);
  if (distinct.size > 1) throw new Refusal(commonErrors.conflicting_api_keys);
  return apiKeys[0] ?? null;
}

function tooMany(rate: RateDecision): Refusal {
  return new Refusal(commonErrors.rate_limited, {
    detail: `At most ${rate.limit} requests in ${rate.windowSeconds} seconds; wait ${rate.resetSeconds} seconds.`,
    retryAfterSeconds: rate.resetSeconds,
  });
}

function parse(operation: AnyOperation, fields: Record<string, unknown>) {
  // SQLite's functions take U+0000 for the end of a text, so lengths checked there would differ from ours.
  const cutShort = Object.keys(fields).filter((field) => {
    const value = fields[field];
    return typeof value === 'string' && value.includes('\u0000');
  });
  if (cutShort.length > 0) {
    throw new Refusal(commonErrors.validation_failed, {
      fields: cutShort.map((field) => ({ message: 'Text may not hold U+0000.', path: field })),
    });
  }
  const result = operation.input.safeParse(fields);
  if (result.success) return result.data;
  throw new Refusal(commonErrors.validation_failed, {
    fields: result.error.issues.flatMap(fieldErrors),
  });
}

/** By the operation's own field names, like every refusal; the way out translates them. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => [...path, key].join('.'));
    return unknown.map((name) => ({ message: 'This field is not known here.', path: name }));
  }
  return [{ message: issue.message, path: path.join('.') }];
}

async function findCaller(
  operation: AnyOperation,
  runtime: Runtime,
  call: Call,
  keyHash: string | null,
): Promise<AgentCaller | null> {
  if (operation.auth === 'none') return null;
  if (keyHash === null) {
    if (operation.auth === 'optional') return null;
    throw new Refusal(commonErrors.missing_api_key);
  }
  const caller = await runtime.findAgent(keyHash);
  if (caller === null) {
    // Guessing keys would otherwise get a fresh allowance with each guess.
    const rate = await runtime.ports.rateLimiter.take('write', call.clientAddress);
    throw rate.allowed ? new Refusal(commonErrors.invalid_api_key) : tooMany(rate);
  }
  if (operation.auth === 'seller' && !caller.isSeller) throw new Refusal(commonErrors.not_a_seller);
  return caller;
}

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

async function claimIdempotency(
  operation: AnyOperation,
  runtime: Runtime,
  call: Call,
  keyHash: string | null,
  fields: Record<string, unknown>,
  now: EpochMs,
): Promise<
  { kind: 'none' } | { kind: 'claimed'; claim: IdempotencyClaim } | { kind: 'done'; outcome: Json }
> {
  if (call.idempotencyKey === null || operation.replay === undefined) return { kind: 'none' };
  if (!IDEMPOTENCY_KEY.test(call.idempotencyKey)) {
    throw new Refusal(commonErrors.validation_failed, {
      fields: [{ message: 'Between 1 and 255 printable ASCII characters.', path: 'Idempotency-Key' }],
    });
  }
  const result = await runtime.idempotency.claim(
    {
      scope: keyHash ?? `anonymous ${call.clientAddress}`,
      key: call.idempotencyKey,
      requestDigest: await sha256Hex(`${operation.name} ${canonicalJson(fields)}`),
      token: runtime.ports.ids.uuid(),
    },
    now,
  );
  if (result.kind === 'other_request') throw new Refusal(commonErrors.idempotency_key_reused);
  if (result.kind === 'in_flight')
    throw new Refusal(commonErrors.idempotency_in_flight, { retryAfterSeconds: 1 });
  return result;
}

async function replay(operation: AnyOperation, ctx: OperationContext, outcome: Json): Promise<object> {
  if (typeof operation.replay === 'function') return operation.replay(ctx, outcome);
  if (operation.replay === 'refused') throw new Refusal(commonErrors.idempotency_not_replayable);
  return outcome as object;
}

function contextOf(
  runtime: Runtime,
  call: Call,
  caller: AgentCaller | null,
  now: EpochMs,
  tracked: { claim: IdempotencyClaim; completed: boolean } | null,
): OperationContext {
  const { ports, settings, idempotency } = runtime;
  const { requestId, baseUrl, isOperator, referer } = call;
  return {
    ports,
    settings,
    // The auth of the operation and the type of its caller agree by findCaller.
    caller: caller as OperationContext['caller'],
    now,
    requestId,
    baseUrl,
    isOperator,
    referer,
    headerFields: call.headerFields ?? {},
    async commit(statements, outcome) {
      if (tracked === null) return ports.market.commit(statements);
      const rows = await ports.market.commit([
        ...statements,
        ...idempotency.completion(tracked.claim, outcome, now),
      ]);
      tracked.completed = true;
      return rows;
    },
  };
}

function refusalOf(thrown: unknown, operation: AnyOperation, runtime: Runtime, call: Call): Refusal {
  const { log } = runtime.ports;
  const { requestId } = call;
  if (thrown instanceof Refusal) {
    if (!isDeclared(thrown.definition, operation)) {
      log.error('undeclared_error', { requestId, operation: operation.name, code: thrown.definition.code });
    }
    return new Refusal(thrown.definition, {
      ...(operation.movesMoney ? { charged: false } : {}),
      ...thrown.details,
      ...(thrown.details.fields
        ? { fields: thrown.details.fields.map((field) => onTheWire(field, call)) }
        : {}),
    });
  }
  const unavailable = thrown instanceof DatabaseError && thrown.kind === 'unavailable';
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  log.error(unavailable ? 'dependency_down' : 'operation_broke', {
    requestId,
    operation: operation.name,
    error: name,
    message,
    stack: thrown instanceof Error ? thrown.stack : undefined,
  });
  return unavailable
    ? new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 2 })
    : new Refusal(commonErrors.internal_error);
}

/** Fields as the caller's transport names them. */
function onTheWire({ message, path }: FieldError, call: Call): FieldError {
  const [field = '', ...rest] = path.split('.');
  return { message, path: [call.wireName(field), ...rest].join('.') };
}

const COMMON_CODES = new Set(Object.values(commonErrors).map((definition) => definition.code));

function isDeclared(definition: ErrorDefinition, operation: AnyOperation): boolean {
  return (
    COMMON_CODES.has(definition.code) || operation.errors.some((error) => error.code === definition.code)
  );
}
