export { changeOperatorRole } from './change-operator-role.ts';
export { createOperator } from './create-operator.ts';
export { listOperatorActions } from './list-operator-actions.ts';
export { listOperators } from './list-operators.ts';
export { findOperator, readOperators } from './operators.store.ts';
export { revokeOperator } from './revoke-operator.ts';
export { rotateOperatorSecret } from './rotate-operator-secret.ts';
