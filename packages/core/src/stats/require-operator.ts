import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation.ts';

export function requireOperator({ isOperator }: Pick<OperationContext, 'isOperator'>): void {
  if (!isOperator) throw new Refusal(commonErrors.admin_required);
}
