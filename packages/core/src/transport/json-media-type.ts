const PARAMETER = /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]*))/gi;
const UTF_8 = /^utf-?8$/i;

/** Whether a `Content-Type` says that its JSON is in UTF-8, in which all JSON on the wire is (RFC 8259). */
export function isInUtf8(contentType: string): boolean {
  return [...contentType.matchAll(PARAMETER)].every(([, quoted, plain]) => UTF_8.test(quoted ?? plain ?? ''));
}

export const ONLY_UTF8 = 'JSON is sent in UTF-8: leave `charset` out.';
