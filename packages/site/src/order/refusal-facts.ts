import { MarketplaceError, ProvenanceError } from '@agent-marketplace/sdk';
import type { RefusalFacts } from './refusal-words.ts';

/** What the error of a call says. What is no error of the SDK is a lost answer: the call may have taken effect. */
export function refusalFacts(error: unknown): RefusalFacts {
  const unknown = { title: '', detail: '', charged: null, approvalUrl: null };
  if (error instanceof ProvenanceError) return { ...unknown, code: 'answer_not_signed' };
  if (!(error instanceof MarketplaceError)) return { ...unknown, code: 'network_error' };
  const { title, detail, approvalUrl, code } = error.problem;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    code: typeof code === 'string' ? code : error.code,
    title: text(title),
    detail: text(detail),
    charged: error.charged,
    approvalUrl: typeof approvalUrl === 'string' ? approvalUrl : null,
  };
}
