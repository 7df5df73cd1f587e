import { commonErrors, Refusal } from '../errors.ts';
import type { AgentCaller } from './operation.ts';

/**
 * Whether a key may do what concerns the whole account, such as its e-mail address or its end. One with a budget may not,
 * whatever its scopes: it would outgrow its limits that way.
 */
export function isWholeKey({ scopes, policies }: AgentCaller): boolean {
  return scopes.includes('all') && policies.length === 0;
}

export function wholeKeyMissing({ scopes, policies }: AgentCaller): Refusal {
  const budget = policies.length === 0 ? '' : ', and a budget';
  return new Refusal(commonErrors.scope_missing, {
    detail: `It takes a key with the scope \`all\` and without a budget. This one has: ${scopes.join(', ')}${budget}.`,
  });
}
