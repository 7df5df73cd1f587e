import { canonicalDigest, type Digest } from '../kernel/digest.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { listingErrors } from './listings.errors.ts';
import { findSensitive, findSensitiveInJson } from './sensitive-content.rules.ts';

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

/** Refuses texts that hold what must not be published, naming the field and the kind, never the text. */
export function refuseSensitiveContent(content: {
  title?: string | undefined;
  description?: string | undefined;
  preview?: JsonObject | undefined;
}): void {
  const found = [
    { path: 'title', kind: content.title === undefined ? null : findSensitive(content.title) },
    {
      path: 'description',
      kind: content.description === undefined ? null : findSensitive(content.description),
    },
    { path: 'preview', kind: content.preview === undefined ? null : findSensitiveInJson(content.preview) },
  ];
  const fields = found.flatMap(({ path, kind }) =>
    kind ? [{ message: `This looks like a ${kind.replaceAll('_', ' ')}.`, path }] : [],
  );
  if (fields.length > 0) throw new Refusal(listingErrors.sensitive_content, { fields });
}

/** A refusal of one field, for what the schema alone cannot judge. */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal(commonErrors.validation_failed, { fields: [{ message, path }] });
}
