import { commonErrors, Refusal } from './errors.ts';
import type { Json } from './json.ts';
import type { AnyOperation } from './operation.ts';
import { findSensitiveInJson } from './sensitive-content.ts';

/** Refuses what must not be published in the fields that will be, naming the field and the kind, never the text. */
export function refuseSensitive(
  { published = [] }: Pick<AnyOperation, 'published'>,
  input: Readonly<Record<string, unknown>>,
): void {
  const fields = published.flatMap((path) => {
    const kind = findSensitiveInJson((input[path] ?? null) as Json);
    return kind ? [{ message: `This looks like a ${kind.replaceAll('_', ' ')}.`, path }] : [];
  });
  if (fields.length > 0) throw new Refusal(commonErrors.sensitive_content, { fields });
}
