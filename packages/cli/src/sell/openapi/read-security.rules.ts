import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { CredentialNeed } from '../sale-plan.rules.ts';
import { dereference } from './find-operation.rules.ts';

/** Parameters that are the seller's to give, whatever the document says of them: `key`, `x-api-key`, `authToken`, `sessionid`. */
const SECRET_NAME =
  /(^|-)(api|app|access|auth|client|private|secret|session|subscription|user)?(key|token|sig|signature|jwt|pw|pwd|passwd|password|passphrase|secret|credentials?|auth|authorization|session(-?id)?)(-id)?$/;
/** Of one word only: others are `country_code`. */
const SECRET_WORD = /^(x-)?(code|app-?id|pass|sid)$/;
/** They say what comes next, or in which order. */
const OF_LISTS = /^(page|next|previous|continuation|sync|sort|order|group|partition)-?(key|token)$/;

export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();
  return (SECRET_NAME.test(words) || SECRET_WORD.test(words)) && !OF_LISTS.test(words);
}

export interface ReadSecurity {
  readonly needs: readonly CredentialNeed[];
  readonly notes: readonly string[];
}

/** The secrets that an operation asks for: of its first alternative that can be met, none where one alternative is none. */
export function readSecurity(document: JsonObject, operation: JsonObject): ReadSecurity {
  const required = operation.security ?? document.security;
  const alternatives = Array.isArray(required) ? required.filter(isJsonObject) : [];
  if (alternatives.length === 0 || alternatives.some((one) => Object.keys(one).length === 0))
    return { needs: [], notes: [] };
  const schemes = isJsonObject(document.components) ? document.components.securitySchemes : undefined;
  const readings = alternatives.map((one) =>
    Object.keys(one).map((scheme) =>
      readScheme(scheme, dereference(document, isJsonObject(schemes) ? schemes[scheme] : undefined)),
    ),
  );
  const usable = readings.find((needs) => needs.every((need) => need !== null)) as
    | CredentialNeed[]
    | undefined;
  if (usable !== undefined) return { needs: usable, notes: [] };
  const names = [...new Set(alternatives.flatMap((one) => Object.keys(one)))];
  return {
    needs: [],
    notes: [
      `The document asks for ${names.join(' or ')}, which is neither an API key, nor a token, nor a password. If the API wants a secret, say where it goes: --secret 'header:X-Key=VARIABLE'.`,
    ],
  };
}

function readScheme(scheme: string, definition: Json | undefined): CredentialNeed | null {
  if (!isJsonObject(definition)) return null;
  const { type, name, in: place, scheme: kind } = definition;
  const need = { scheme, prefix: '', encoding: 'plain' as const };
  const bearer: CredentialNeed = { ...need, in: 'header', name: 'authorization', prefix: 'Bearer ' };
  switch (type) {
    case 'apiKey':
      if (typeof name !== 'string') return null;
      if (place === 'cookie') return { ...need, in: 'header', name: 'cookie', prefix: `${name}=` };
      return place === 'header' || place === 'query' ? { ...need, in: place, name } : null;
    case 'http':
      if (String(kind).toLowerCase() === 'bearer') return bearer;
      return String(kind).toLowerCase() === 'basic'
        ? { ...bearer, prefix: 'Basic ', encoding: 'basic' }
        : null;
    // A token that was got elsewhere.
    case 'oauth2':
    case 'openIdConnect':
      return bearer;
    default:
      return null;
  }
}
