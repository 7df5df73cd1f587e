import { commonErrors, type ErrorDefinition } from '../../kernel/errors.ts';
import { takesApiKey } from '../../kernel/operation/find-caller.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { STATUS_OF_KIND } from '../http/problem.ts';
import { hasBody } from './fields.ts';

/** Everything an operation may answer with besides success: what it declares, and what comes before it. */
export function errorsOf(operation: AnyOperation): ErrorDefinition[] {
  return unique([...impliedErrors(operation), ...operation.errors]);
}

/** Every error of the marketplace, by code. */
export function allErrors(operations: readonly AnyOperation[]): ErrorDefinition[] {
  const errors = [...Object.values(commonErrors), ...operations.flatMap((operation) => operation.errors)];
  return unique(errors).sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** An operation's errors by HTTP status, in ascending order. */
export function errorsByStatus(operation: AnyOperation): Map<number, ErrorDefinition[]> {
  const errors = errorsOf(operation);
  const statuses = [...new Set(errors.map(statusOf))].sort((a, b) => a - b);
  return new Map(statuses.map((status) => [status, errors.filter((error) => statusOf(error) === status)]));
}

const KEY_ERRORS = [
  commonErrors.invalid_api_key,
  commonErrors.api_key_revoked,
  commonErrors.api_key_expired,
  commonErrors.scope_missing,
];

/** The common errors that its transport, caller and options make possible; see kernel/operation/run-operation.ts. */
function impliedErrors(operation: AnyOperation): ErrorDefinition[] {
  const { auth, publicFields, replay, refusals } = operation;
  // These it answers in its own form and codes, which it declares.
  if (refusals !== undefined && refusals.kinds === undefined) return [];
  return [
    commonErrors.validation_failed,
    ...(publicFields === undefined ? [] : [commonErrors.sensitive_content]),
    ...(hasBody(operation)
      ? [
          commonErrors.malformed_json,
          commonErrors.number_not_exact,
          commonErrors.body_too_large,
          commonErrors.unsupported_media_type,
        ]
      : []),
    commonErrors.conflicting_api_keys,
    ...(auth === 'agent' || auth === 'seller' ? [commonErrors.missing_api_key] : []),
    ...(takesApiKey(operation) ? KEY_ERRORS : []),
    ...(auth === 'seller' ? [commonErrors.not_a_seller] : []),
    ...(auth === 'operator' ? [commonErrors.admin_required, commonErrors.role_missing] : []),
    ...(replay === undefined
      ? []
      : [commonErrors.idempotency_key_reused, commonErrors.idempotency_in_flight]),
    ...(replay === 'refused' ? [commonErrors.idempotency_not_replayable] : []),
    commonErrors.rate_limited,
    commonErrors.internal_error,
    commonErrors.service_unavailable,
  ];
}

/** Whether the operation answers it with a statement of its own, and not with a problem. */
export function isInOwnForm({ refusals }: AnyOperation, { kind }: ErrorDefinition): boolean {
  return refusals !== undefined && (refusals.kinds?.includes(kind) ?? true);
}

function statusOf({ kind }: ErrorDefinition): number {
  return STATUS_OF_KIND[kind];
}

function unique(errors: readonly ErrorDefinition[]): ErrorDefinition[] {
  return [...new Map(errors.map((error) => [error.code, error])).values()];
}
