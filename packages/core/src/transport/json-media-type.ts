const PARAMETER = /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]*))/gi;
const UTF_8 = /^utf-?8$/i;

/** Whether a `Content-Type` names UTF-8 or no charset. JSON on the wire is UTF-8 (RFC 8259). */
export function isInUtf8(contentType: string): boolean {
  return [...contentType.matchAll(PARAMETER)].every(([, quoted, plain]) => UTF_8.test(quoted ?? plain ?? ''));
}

export const ONLY_UTF8 = 'JSON is sent in UTF-8: leave `charset` out.';
