import { isSecretName } from './openapi/read-security.rules.ts';
import { type PlanFault, planFault } from './sale-plan.rules.ts';

/** What must not be in a URL that a seller gives: a secret, which would be sold or shown, and a host that buyers choose. */
export function upstreamUrlFault(text: string): PlanFault | null {
  if (/^[a-z]+:\/\/[^/?#]*[{}]/i.test(text))
    return planFault(
      'The host of a URL is fixed: `{name}` may stand in its path only.',
      'A buyer would choose where your credentials go.',
    );
  if (!URL.canParse(text)) return null;
  return secretMemberFault(new URL(text).searchParams.keys());
}

/** Names of what would be sent beside the credentials, as public examples. */
export function secretMemberFault(names: Iterable<string>): PlanFault | null {
  const name = [...names].find(isSecretName);
  if (name === undefined) return null;
  const shown = name.slice(0, 100);
  return planFault(
    `The parameter "${shown}" looks like a secret of yours, and examples are public: put its value into an environment variable, and say --secret 'query:${shown}=VARIABLE' instead.`,
  );
}
