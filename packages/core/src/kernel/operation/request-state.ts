import type { RateDecision } from '../ports/rate-limiter.ts';
import type { EpochMs } from '../time.ts';
import type { Call, Runtime } from './call.ts';
import type { AnyOperation } from './operation.ts';

/** One call of an operation, with what each stage of it needs. */
export interface OperationRequest {
  readonly operation: AnyOperation;
  readonly runtime: Runtime;
  readonly call: Call;
  readonly now: EpochMs;
}

/** How the request was counted, and its fields as they were sent; empty before the input is read. */
export interface RequestState {
  readonly rate: RateDecision | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What a stage adds to the state, or the failure that ended the request, with the state it was decided under. */
export type Stage<Result> =
  | (RequestState & Result & { readonly kind: 'passed' })
  | (RequestState & { readonly kind: 'failed'; readonly failure: unknown });
