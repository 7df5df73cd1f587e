import { canonicalDigest, type Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';

/** What a seller declares a listing to be. The fingerprint is over exactly this. */
export interface DeclaredContent {
  readonly title: string;
  readonly description: string;
  readonly preview: JsonObject;
  readonly inputSchema: JsonObject | null;
  readonly outputSchema: JsonObject | null;
  readonly verticalSlug: string;
  readonly listingType: string;
}

export function fingerprintOf(content: DeclaredContent): Promise<Digest> {
  const { title, description, preview, inputSchema, outputSchema, verticalSlug, listingType } = content;
  return canonicalDigest({
    description,
    inputSchema,
    listingType,
    outputSchema,
    preview,
    title,
    verticalSlug,
  });
}

/** Refuses one field for a reason that its schema cannot express. */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal(commonErrors.validation_failed, { fields: [{ message, path }] });
}
