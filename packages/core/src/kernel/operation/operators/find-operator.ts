import { commonErrors, Refusal } from '../../errors.ts';
import type { AnyOperation } from '../operation.ts';
import type { OperationRequest, RequestState, Stage } from '../request-state.ts';
import { DEPLOYMENT_OPERATOR, hasRole, type Operator, type OperatorRole } from './operator.ts';

/** The least role that an operation asks for; null: it does not depend on operators. */
function leastRoleOf({ auth, leastRole }: AnyOperation): OperatorRole | null {
  return leastRole ?? (auth === 'operator' ? 'admin' : null);
}

/** The operator of the request; null where the operation is open to others too, and nobody's secret came with it. */
export async function requireOperator({
  operation,
  runtime,
  call,
}: OperationRequest): Promise<Operator | null> {
  const least = leastRoleOf(operation);
  const { credential } = call;
  if (least === null) return null;
  const operator =
    credential?.kind === 'secret'
      ? await runtime.findOperator(credential.hash)
      : credential && DEPLOYMENT_OPERATOR;
  if (operator === null) {
    if (operation.auth === 'operator') throw new Refusal(commonErrors.admin_required);
    return null;
  }
  if (!hasRole(operator, least)) {
    throw new Refusal(commonErrors.role_missing, {
      detail: `This needs the role ${least}; yours is ${operator.role}.`,
    });
  }
  return operator;
}

/** Whoever is no operator does not learn what an operator's operation takes. */
export async function hideFromOthers(
  request: OperationRequest,
  failed: RequestState & { readonly kind: 'failed'; readonly failure: unknown },
): Promise<Stage<never>> {
  if (request.operation.auth !== 'operator' || failed.rate?.allowed === false) return failed;
  const failure = await requireOperator(request).then(
    () => failed.failure,
    (refusal: unknown) => refusal,
  );
  return { ...failed, failure };
}
