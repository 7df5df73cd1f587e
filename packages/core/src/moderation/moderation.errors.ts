import { defineErrors } from '../kernel/errors.ts';

export const moderationErrors = defineErrors({
  suspension_unchanged: {
    kind: 'conflict',
    title: 'The agent is suspended already, or is not suspended.',
    remedy: 'Check the id. Another operator may have decided before; the platform itself is never suspended.',
  },
});
