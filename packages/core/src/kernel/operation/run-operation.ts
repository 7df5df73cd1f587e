import { serialise, sign } from '@agent-marketplace/protocol/crypto/seal.ts';
import { type ErrorKind, Refusal, withUnknownCharge } from '../errors.ts';
import type { Answer, Call, Runtime } from './call.ts';
import { chargeAndParse } from './charge-and-parse.ts';
import { claimIdempotency, replay } from './claim-idempotency.ts';
import { type Admission, contextOf, recordRead } from './context-of.ts';
import { findCaller } from './find-caller.ts';
import { type AnyOperation, ExactAnswer, FileAnswer, WithHeaders } from './operation.ts';
import { hideFromOthers, requireOperator } from './operators/find-operator.ts';
import type { Operator } from './operators/operator.ts';
import type { Parsed } from './parse-input.ts';
import { atHome, refuseAcross } from './places/home.ts';
import { isForPrimary, nearOf, noteBookmark } from './places/read-near.ts';
import { type QuotaRead, quotaRead } from './quota-policy.ts';
import { readAndCharge } from './read-and-charge.ts';
import { refusalOf } from './refusal-of.ts';
import { refuseSensitive } from './refuse-sensitive.ts';
import type { OperationRequest, RequestState, Stage } from './request-state.ts';

export type { Answer, Call, Runtime } from './call.ts';

type Rate = RequestState['rate'];

/** What the operation needs of a request that was read, counted, checked and whose caller is known. */
interface Admitted extends Parsed, Admission {
  readonly prefetched: Promise<unknown>;
  /** The request over the database where it belongs. */
  readonly home: OperationRequest;
  /** The request as a copy near the reader answers it; null: the primary does. */
  readonly near: OperationRequest | null;
  readonly quota: QuotaRead;
}

/**
 * The only way into an operation, for every transport: read, limit the rate, parse, find the caller, claim the
 * Idempotency-Key, handle, serialise once, sign, answer. A refusal goes the same way, so that it is signed too.
 */
export async function runOperation(operation: AnyOperation, runtime: Runtime, call: Call): Promise<Answer> {
  const request: OperationRequest = { operation, runtime, call, now: runtime.ports.clock.now() };
  // A stage that breaks is answered and signed like any other failure.
  const admission = await admit(request).catch((failure: unknown) => brokenStage(failure));
  let rail = operation.rate === 'x402' ? 'usdc' : '';
  const recorded = (sent: Answer) => {
    recordPoint(request, sent, operation.movesMoney === true ? rail : '');
    return sent;
  };
  try {
    if (admission.kind === 'failed') throw ofUnreadPayment(request, admission);
    const { output, replayed } = await performWhereNear(admission);
    if ('rail' in output && typeof output.rail === 'string') rail = output.rail;
    logChange(request, replayed);
    const noticed = withNotice(output, admission.notice);
    const rendered = renderOwnTexts(noticed, request);
    return recorded(await answer(request, shorten(rendered, call), { rate: admission.rate, replayed }));
  } catch (thrown) {
    return recorded({ ...(await refuseRequest(request, admission.fields, thrown)), rate: admission.rate });
  } finally {
    if (admission.kind === 'passed') noteBookmark(admission.home, admission.keyHash);
  }
}

/** What a copy does not know is looked up on the primary before it is refused. */
async function performWhereNear(admitted: RequestState & Admitted) {
  const { near, home, input } = admitted;
  if (near === null) return perform(home, admitted);
  try {
    return await perform(near, admitted);
  } catch (failure) {
    if (!isForPrimary(failure)) throw failure;
    return perform(home, { ...admitted, prefetched: prefetch(home, input) });
  }
}

async function prefetch({ operation, runtime, now }: OperationRequest, input: Parsed['input']) {
  return operation.prefetch?.(runtime.ports, input, now);
}

const FAILURES: ReadonlySet<ErrorKind> = new Set([
  'internal',
  'unavailable',
  'upstream_failed',
  'upstream_timed_out',
]);

/** One data point for each request; the database's use is that of all operations of the same request so far. */
function recordPoint({ operation, runtime, now }: OperationRequest, sent: Answer, rail: string): void {
  const { metrics, clock } = runtime.ports;
  const { kind, code } = sent.kind === 'refused' ? sent.refusal.definition : { kind: null, code: '' };
  metrics.record({
    operation: operation.name,
    outcome: sent.kind === 'refused' && kind !== null && FAILURES.has(kind) ? 'failed' : sent.kind,
    code,
    rail,
    latencyMs: clock.now() - now,
    database: metrics.database,
  });
}

const REFUSES_KEY: ReadonlySet<ErrorKind> = new Set(['unauthenticated', 'forbidden']);

/** Whoever sends a payment again, or brought it to the chain, must not be told that nothing was charged where nobody looked. */
function ofUnreadPayment(
  { operation }: OperationRequest,
  { failure, fields }: { readonly failure: unknown; readonly fields: RequestState['fields'] },
): unknown {
  const isPaid = operation.paymentFields?.some((field) => fields[field] !== undefined) ?? false;
  if (!isPaid || !(failure instanceof Refusal)) return failure;
  const { definition } = failure;
  if (REFUSES_KEY.has(definition.kind)) return withUnknownCharge(failure, UNREAD_PAYMENT);
  return withUnknownCharge(failure, definition.retryable ? undefined : UNREAD_ORDER);
}

const UNREAD_PAYMENT =
  'The payment beside the key was not looked at. If it was sent before, it may have been charged: send it again without the key.';
const UNREAD_ORDER =
  'The payment was not looked at. If it was sent before, it may have been charged: send it again as it was sent then.';

function brokenStage(failure: unknown): Stage<never> {
  return { kind: 'failed', fields: {}, rate: null, failure };
}

async function admit(request: OperationRequest): Promise<Stage<Admitted>> {
  const { operation } = request;
  const read = await readAndCharge(request);
  if (read.kind === 'failed') return hideFromOthers(request, read);
  const parsed = await chargeAndParse(request, read);
  if (parsed.kind === 'failed') return hideFromOthers(request, parsed);
  const { keyHash, input, notice, unmatchedFields } = parsed;
  const placed = atHome(request, input);
  const near = await nearOf(placed, read);
  const prefetched = prefetch(near ?? placed, input);
  // Reported where it is awaited: a caller that is not let in must not learn of it.
  prefetched.catch(() => {});
  const quota = quotaRead(placed, keyHash);
  // Beside the request's other reads it costs no round trip; where there are none, the commit alone decides.
  if (operation.prefetch !== undefined || keyHash !== null) quota.begin();
  let operator: Operator | null;
  try {
    operator = await requireOperator(request);
  } catch (failure) {
    return { ...parsed, kind: 'failed', failure };
  }
  const found = await findCaller(request, parsed);
  if (found.kind === 'failed') return found;
  const failure = refuseAcross(request, input, found.caller);
  if (failure !== null) return { ...found, kind: 'failed', failure };
  const home = atHome(request, input, found.caller);
  return { ...found, operator, keyHash, input, notice, unmatchedFields, prefetched, home, near, quota };
}

async function perform(
  request: OperationRequest,
  admitted: RequestState & Admitted,
): Promise<{ output: object; replayed: boolean }> {
  const { operation, runtime } = request;
  const { fields, input, unmatchedFields, prefetched, quota } = admitted;
  refuseSensitive(operation, input);
  const claimResult = await claimIdempotency(request, admitted, fields);
  if (claimResult.kind === 'done') {
    const { outcome } = claimResult;
    const output = await replay(request, contextOf(request, admitted, null, quota), {
      outcome,
      input,
    });
    return { output, replayed: true };
  }
  const trackedClaim =
    claimResult.kind === 'claimed' ? { claim: claimResult.claim, isCompleted: false } : null;
  try {
    const ctx = { ...contextOf(request, admitted, trackedClaim, quota, input), unmatchedFields };
    if (!operation.movesMoney && quota.isBegun()) await ctx.requireQuota();
    const output = await operation.handle(ctx, input, await prefetched);
    await recordRead(request, admitted, input);
    return { output, replayed: false };
  } finally {
    if (trackedClaim && !trackedClaim.isCompleted) {
      runtime.ports.background.run(runtime.idempotency.release(trackedClaim.claim));
    }
  }
}

/** Answers that are made byte for byte elsewhere say nothing of what was ignored. */
function withNotice(output: object, notice: string | null): object {
  if (notice === null || output instanceof ExactAnswer || output instanceof FileAnswer) return output;
  if (output instanceof WithHeaders)
    return new WithHeaders(withNotice(output.output, notice), output.headers);
  // The operation may have noticed something itself.
  return { ...output, notice: 'notice' in output ? `${notice} ${output.notice}` : notice };
}

const OWN_TEXTS: readonly string[] = ['agent_notice', 'notice'];

/** Only members that the marketplace words: a text of a seller or a deliverable is never rewritten. */
function renderOwnTexts(output: object, { operation, call }: OperationRequest): object {
  const render = call.renderText;
  if (render === undefined || output instanceof ExactAnswer || output instanceof FileAnswer) return output;
  if (output instanceof WithHeaders) {
    return new WithHeaders(
      renderOwnTexts(output.output, { operation, call } as OperationRequest),
      output.headers,
    );
  }
  const rendered = new Set([...OWN_TEXTS, ...(operation.ownTexts ?? [])]);
  return Object.fromEntries(
    Object.entries(output).map(([name, value]) => [
      name,
      rendered.has(name) ? renderAll(value, render) : value,
    ]),
  );
}

function shorten(output: object, { shorten: shortened }: Call): object {
  if (shortened === undefined || output instanceof ExactAnswer || output instanceof FileAnswer) return output;
  if (output instanceof WithHeaders) return new WithHeaders(shortened(output.output), output.headers);
  return shortened(output);
}

function renderAll(value: unknown, render: (text: string) => string): unknown {
  if (typeof value === 'string') return render(value);
  if (Array.isArray(value)) return value.map((one) => renderAll(one, render));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renderAll(one, render)]));
}

async function answer(
  { runtime, call }: OperationRequest,
  output: object,
  sent: { readonly rate: Rate; readonly replayed: boolean },
): Promise<Answer> {
  const { rate } = sent;
  if (output instanceof ExactAnswer) return { kind: 'ok', rate, ...output };
  if (output instanceof FileAnswer) return answerFile(output, call, rate);
  const withHeaders = output instanceof WithHeaders ? output : null;
  const unsigned = await serialise(withHeaders?.output ?? output, 'once');
  const { digest } = unsigned;
  // An answer with headers of its own is sent in full: they may have changed although the body has not.
  if (withHeaders === null && isKnown(call, digest)) return { kind: 'not_modified', digest, rate };
  // The time of signing, and not of the request: the answer has times from in between.
  const body = await sign(unsigned, runtime.ports.signer, runtime.ports.clock.now(), call.baseUrl);
  return { kind: 'ok', body, digest, ...sent, headers: withHeaders?.headers ?? {} };
}

/** A file goes out byte for byte, unsigned: its digest would not match otherwise. */
async function answerFile({ description, read }: FileAnswer, call: Call, rate: Rate): Promise<Answer> {
  const { digest } = description;
  if (isKnown(call, digest)) return { kind: 'not_modified', digest, rate };
  return { kind: 'ok', body: await read(), digest, rate, replayed: false, file: description };
}

function isKnown({ knownDigests }: Call, digest: string): boolean {
  return knownDigests === 'any' || knownDigests.includes(digest);
}

/** One line for every change made; reads are in the metrics of the platform. */
function logChange({ operation, runtime, call }: OperationRequest, replayed: boolean): void {
  if (operation.replay === undefined) return;
  runtime.ports.log.info('operation', { requestId: call.requestId, operation: operation.name, replayed });
}

async function refuseRequest(request: OperationRequest, fields: RequestState['fields'], thrown: unknown) {
  const { operation, runtime, call, now } = request;
  const refusal = refusalOf(thrown, request);
  const own = await operation.refusals?.answer(refusal, { ports: runtime.ports, now, fields });
  return refuse(own?.refusal ?? refusal, runtime, call, own?.body);
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
