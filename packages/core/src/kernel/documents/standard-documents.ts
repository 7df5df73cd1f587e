import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';

/**
 * Documents in the form of another standard. That form has no `provenance`, so they are served whole outside the API
 * root, with their provenance in a header; below the root, the same documents keep the member.
 */
export const STANDARD_DOCUMENTS = {
  openApi: '/openapi.json',
  operatorOpenApi: '/openapi-operator.json',
  agentCard: '/.well-known/agent-card.json',
  did: '/.well-known/did.json',
  keySet: '/.well-known/jwks.json',
} as const;

export type StandardDocument = keyof typeof STANDARD_DOCUMENTS;

/** Where a document is served as its standard has it. */
export function standardUrl(baseUrl: string, document: StandardDocument): string {
  return outsideRoot(baseUrl) + STANDARD_DOCUMENTS[document];
}

/** A gateway may serve the API under another path, and then nothing outside of it. */
export function outsideRoot(baseUrl: string): string {
  return baseUrl.endsWith(API_ROOT) ? baseUrl.slice(0, -API_ROOT.length) : baseUrl;
}
