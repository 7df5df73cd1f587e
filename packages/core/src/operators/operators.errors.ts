import { defineErrors } from '../kernel/errors.ts';

export const operatorErrors = defineErrors({
  operator_not_found: {
    kind: 'not_found',
    title: 'No operator has this id.',
    remedy:
      'List them with GET /admin/operators. The secret of the deployment is changed where it is deployed.',
  },
  operator_name_taken: {
    kind: 'conflict',
    title: 'Another operator has this name.',
    remedy: 'Choose a name that nobody has who is not revoked: it says in the audit chain who did something.',
  },
  operator_revoked: {
    kind: 'conflict',
    title: 'This operator was revoked.',
    remedy: 'Make a new one with POST /admin/operators.',
  },
  last_admin: {
    kind: 'conflict',
    title: 'No operator with the role admin would be left.',
    remedy: 'Make another operator an admin first, or do it with the secret of the deployment.',
  },
});
