import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { SalePlan } from './sale-plan.rules.ts';
import { sampleOf } from './sample-of.rules.ts';

/** What is sent to `POST /marketplace/listings`. */
export interface ListingDraft {
  readonly title: string;
  readonly description: string;
  readonly preview: JsonObject;
  readonly priceCents: number;
  readonly consent: true;
  readonly vertical?: string;
  readonly contextTags?: string[];
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly exampleQuery: JsonObject;
}

export interface SellerChoices {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly vertical: string | undefined;
  readonly priceCents: number;
  /** Whether the preview has a part of the example answer. */
  readonly showsSample: boolean;
}

export interface ExampleSale {
  readonly query: JsonObject;
  readonly data: JsonObject;
  readonly outputSchema: JsonObject;
}

/** The listing of a plan with the example that was got. What the seller says goes before what was read. */
export function draftListing(
  plan: SalePlan,
  { query, data, outputSchema }: ExampleSale,
  choices: SellerChoices,
): ListingDraft {
  const { title = plan.title, description = plan.description, vertical, priceCents, showsSample } = choices;
  return {
    title,
    description,
    preview: {
      exampleQuery: query,
      ...(showsSample ? { sample: sampleOf(data) } : { members: Object.keys(data).slice(0, 50) }),
    },
    priceCents,
    consent: true,
    ...(vertical !== undefined && { vertical }),
    ...(plan.contextTags.length > 0 && { contextTags: [...plan.contextTags] }),
    inputSchema: plan.inputSchema.schema,
    outputSchema,
    exampleQuery: query,
  };
}
