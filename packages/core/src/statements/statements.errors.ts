import { defineErrors } from '../kernel/errors.ts';

export const statementErrors = defineErrors({
  statement_not_found: {
    kind: 'not_found',
    title: 'You have no statement of this month.',
    remedy: 'GET /sell/statements lists the months from your first paid sale on, each as 2026-11.',
  },
});
