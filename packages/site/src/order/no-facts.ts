import type { RefusalFacts } from './refusal-words.ts';

/** Of an answer that did not come, or says nothing more. */
export const NO_FACTS: Omit<RefusalFacts, 'code'> = {
  title: '',
  detail: '',
  charged: null,
  approvalUrl: null,
  retryAfterSeconds: null,
};
