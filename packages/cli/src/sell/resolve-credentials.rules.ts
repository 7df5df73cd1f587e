import type { Credential } from '../gateway/gateway-config.ts';
import type { CredentialNeed, PlanFault } from './sale-plan.rules.ts';
import { planFault } from './sale-plan.rules.ts';

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HOW =
  "Put the secret into an environment variable, or a file for --env-file, and name it: --secret VARIABLE. Where there are several: --secret 'scheme=VARIABLE'. Of your own: --secret 'header:X-Key=VARIABLE', 'query:key=VARIABLE', 'bearer=VARIABLE' or 'basic=VARIABLE'.";

/**
 * Which variable holds each secret of an upstream, by the `--secret` options: `VARIABLE` where one secret is needed,
 * `scheme=VARIABLE` of several, and what the document does not know as `header:X-Key=VARIABLE`, `query:key=VARIABLE`,
 * `bearer=VARIABLE` or `basic=VARIABLE`.
 */
export function resolveCredentials(
  needs: readonly CredentialNeed[],
  options: readonly string[],
): readonly Credential[] | PlanFault {
  const credentials: Credential[] = [];
  let open = [...needs];
  for (const option of options) {
    const at = option.lastIndexOf('=');
    const [place, env] = at < 0 ? [null, option] : [option.slice(0, at), option.slice(at + 1)];
    if (!VARIABLE.test(env))
      return planFault(
        '--secret takes the name of an environment variable, not the secret itself: other programs see options.',
        HOW,
      );
    const need =
      place === null
        ? open.length === 1
          ? open[0]
          : undefined
        : (open.find(({ scheme }) => scheme === place) ?? ownCredential(place));
    if (need === undefined)
      return planFault(
        `It is not clear what ${place === null ? shownVariable(env) : `"${place}"`} is: ${describeNeeds(open)}`,
        HOW,
      );
    open = open.filter((one) => one !== need);
    const { scheme: _, ...rest } = need;
    credentials.push({ ...rest, env });
  }
  const [missing] = open;
  if (missing !== undefined) return planFault(describeNeeds(open), HOW);
  return credentials;
}

/** What does not look like the name of a variable may be the secret itself, given by mistake. */
export const shownVariable = (name: string): string =>
  /^[A-Z]+(_[A-Z0-9]+)*$/.test(name)
    ? name
    : 'what --secret names, which is a variable such as API_KEY and never the secret itself';

function describeNeeds(needs: readonly CredentialNeed[]): string {
  if (needs.length === 0) return 'the document asks for no secret.';
  return `The API asks for ${needs.map(({ scheme, in: place, name }) => `"${scheme}" (${place} ${name})`).join(' and ')}, which only your gateway will know.`;
}

function ownCredential(place: string): CredentialNeed | undefined {
  const need = { scheme: place, prefix: '', encoding: 'plain' as const };
  if (place === 'bearer') return { ...need, in: 'header', name: 'authorization', prefix: 'Bearer ' };
  if (place === 'basic')
    return { ...need, in: 'header', name: 'authorization', prefix: 'Basic ', encoding: 'basic' };
  const [, where, name = ''] = /^(header|query):([!#$%&'*+.^_`|~\w-]+)$/.exec(place) ?? [];
  return where === 'header' || where === 'query' ? { ...need, in: where, name } : undefined;
}
