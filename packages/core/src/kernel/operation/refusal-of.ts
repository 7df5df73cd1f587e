import { commonErrors, type ErrorDefinition, type FieldError, Refusal } from '../errors.ts';
import { databaseFailure, guardOf } from '../ports/database.ts';
import type { EpochMs } from '../time.ts';
import { OPERATOR_GUARD } from './audit-trail.ts';
import type { Call } from './call.ts';
import { QUOTA_GUARD, secondsUntilNextDay } from './daily-quota.ts';
import type { AnyOperation } from './operation.ts';
import type { OperationRequest } from './request-state.ts';

/** Anything that is thrown, as the refusal to answer with. What is not declared, or is our own fault, is logged. */
export function refusalOf(thrown: unknown, request: OperationRequest): Refusal {
  const { operation, runtime, call } = request;
  const { log } = runtime.ports;
  const { requestId } = call;
  const ofGuard = refusalOfGuard(guardOf(thrown), request.now);
  if (ofGuard !== null) return refusalOf(ofGuard, request);
  if (thrown instanceof Refusal) {
    if (!isDeclared(thrown.definition, operation)) {
      log.error('undeclared_error', { requestId, operation: operation.name, code: thrown.definition.code });
    }
    return new Refusal(thrown.definition, {
      ...(operation.movesMoney ? { charged: thrown.definition.mayStillBeCharged ? null : false } : {}),
      ...thrown.details,
      ...(thrown.details.fields
        ? { fields: thrown.details.fields.map((field) => onTheWire(field, call)) }
        : {}),
    });
  }
  const unavailable = databaseFailure(thrown)?.kind === 'unavailable';
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

/** What the database itself keeps, whichever operation tries. */
function refusalOfGuard(guard: string | null, now: EpochMs): Refusal | null {
  switch (guard) {
    case commonErrors.smoke_test_isolated.code:
      return new Refusal(commonErrors.smoke_test_isolated);
    case QUOTA_GUARD:
      return dailyLimitReached(now);
    case OPERATOR_GUARD:
      return new Refusal(commonErrors.admin_required);
    default:
      return null;
  }
}

export function dailyLimitReached(now: EpochMs): Refusal {
  return new Refusal(commonErrors.daily_limit_reached, { retryAfterSeconds: secondsUntilNextDay(now) });
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
