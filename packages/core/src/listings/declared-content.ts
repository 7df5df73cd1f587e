import { canonicalDigest, type Digest } from '../kernel/digest.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { listingErrors } from './listings.errors.ts';
import { findSensitiveInJson } from './sensitive-content.rules.ts';

/** What a seller declares a listing to be: its fingerprint is over exactly this. */
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

const PUBLISHED = ['title', 'description', 'preview', 'demographics', 'contextTags', 'reason'] as const;

/** Refuses texts that hold what must not be published, naming the field and the kind, never the text. */
export function refuseSensitiveContent(
  content: {
    readonly [field in (typeof PUBLISHED)[number]]?: string | JsonObject | readonly string[] | undefined;
  },
): void {
  const fields = PUBLISHED.flatMap((path) => {
    const kind = findSensitiveInJson(content[path] ?? null);
    return kind ? [{ message: `This looks like a ${kind.replaceAll('_', ' ')}.`, path }] : [];
  });
  if (fields.length > 0) throw new Refusal(listingErrors.sensitive_content, { fields });
}

/** A refusal of one field, for what the schema alone cannot judge. */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal(commonErrors.validation_failed, { fields: [{ message, path }] });
}
