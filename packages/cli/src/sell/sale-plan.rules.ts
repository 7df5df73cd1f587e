import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Credential, Upstream } from '../gateway/gateway-config.ts';
import type { ListingSchema } from './schemas/listing-schema.rules.ts';

/** A secret that the upstream asks for; which environment variable has it is for the seller to say. */
export interface CredentialNeed extends Omit<Credential, 'env'> {
  /** As the upstream's document calls it. */
  readonly scheme: string;
}

/** What is known of something that could be sold, before it was called. */
export interface SalePlan {
  readonly title: string;
  readonly description: string;
  readonly contextTags: readonly string[];
  /** Without credentials. */
  readonly upstream: Upstream;
  readonly credentialNeeds: readonly CredentialNeed[];
  readonly inputSchema: ListingSchema;
  /** Null: to be seen from an answer. */
  readonly outputSchema: ListingSchema | null;
  /** Null: only the seller can say one. */
  readonly exampleQuery: JsonObject | null;
  /** What the document shows as an answer, as the upstream would send it. */
  readonly documentedAnswer: Json | undefined;
  /** What the seller suggests to ask for it; null: nothing says it. */
  readonly priceCents: number | null;
  /** What was left out or assumed, a sentence each. */
  readonly notes: readonly string[];
}

/** Why there is no plan: a sentence, and what to do about it. */
export interface PlanFault {
  readonly kind: 'fault';
  readonly message: string;
  readonly hint: string | null;
}

export type Planned = { readonly kind: 'plan'; readonly plan: SalePlan } | PlanFault;

export const planFault = (message: string, hint: string | null = null): PlanFault => ({
  kind: 'fault',
  message,
  hint,
});
