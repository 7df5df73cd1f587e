import { defineErrors } from '../../../kernel/errors.ts';

export const usdcErrors = defineErrors({
  chain_unavailable: {
    kind: 'unavailable',
    title: 'The chain could not be asked about the payment.',
    remedy: 'Send the same request with the same payment again after `Retry-After`, while it is valid.',
    retryable: true,
  },
});
