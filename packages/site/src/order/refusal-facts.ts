import { MarketplaceError, ProvenanceError } from '@agent-marketplace/sdk';
import type { RefusalFacts } from './refusal-words.ts';

/** Of an answer that did not come, or says nothing more. */
export const NO_FACTS: Omit<RefusalFacts, 'code'> = {
  title: '',
  detail: '',
  charged: null,
  approvalUrl: null,
  retryAfterSeconds: null,
};

/** What the error of a call says. What is no error of the SDK is a lost answer: the call may have taken effect. */
export function refusalFacts(error: unknown): RefusalFacts {
  if (error instanceof ProvenanceError) return { ...NO_FACTS, code: 'answer_not_signed' };
  if (!(error instanceof MarketplaceError)) return { ...NO_FACTS, code: 'network_error' };
  const { title, detail, approvalUrl, code } = error.problem;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    code: typeof code === 'string' ? code : error.code,
    title: text(title),
    detail: text(detail),
    charged: error.charged,
    approvalUrl: typeof approvalUrl === 'string' ? approvalUrl : null,
    retryAfterSeconds: retryAfterSeconds(error),
  };
}

/** What `Retry-After` says; null: nothing. */
export function retryAfterSeconds({ headers }: MarketplaceError): number | null {
  const value = headers.get('retry-after');
  return value !== null && /^\d{1,7}$/.test(value) ? Number(value) : null;
}
