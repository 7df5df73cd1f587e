import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { type PlanFault, planFault } from '../sale-plan.rules.ts';

/**
 * The address that the paths of a document are under, without a trailing slash.
 *
 * @param candidates the `servers` that are nearest to the operation first.
 * @param documentUrl where the document is from, which relative addresses are relative to; null of a file.
 */
export function readServer(
  candidates: readonly (Json | undefined)[],
  { documentUrl, server }: { readonly documentUrl: string | null; readonly server: string | null },
): string | PlanFault {
  const nearest = candidates.find((one) => Array.isArray(one) && one.length > 0);
  const urls =
    server === null ? (Array.isArray(nearest) ? nearest : []).filter(isJsonObject).map(expand) : [server];
  const known = urls.filter((url) => url !== null);
  const absolute = known.map((url) => toAbsolute(url, documentUrl)).filter((url) => url !== null);
  // A document often names http beside https.
  const best = absolute.find((url) => url.startsWith('https:')) ?? absolute[0];
  if (best !== undefined) return best;
  return planFault(
    known[0] === undefined
      ? 'The document does not say where the API is.'
      : `"${known[0].slice(0, 200)}" in the document is no http address.`,
    'Say it: --server https://api.example/v1',
  );
}

/** With the usual values of its variables; null where one has none. */
function expand({ url, variables }: JsonObject): string | null {
  if (typeof url !== 'string') return null;
  let isWhole = true;
  const whole = url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = isJsonObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (isJsonObject(variable) && typeof variable.default === 'string') return variable.default;
    isWhole = false;
    return '';
  });
  return isWhole ? whole : null;
}

function toAbsolute(text: string, base: string | null): string | null {
  const from = base ?? undefined;
  if (!URL.canParse(text, from)) return null;
  const { protocol, origin, pathname, username } = new URL(text, from);
  if (!/^https?:$/.test(protocol) || username !== '') return null;
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
