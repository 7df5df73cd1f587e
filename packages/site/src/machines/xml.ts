const ENTITIES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};
/** No document of XML 1.0 may hold these, not even escaped. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** XML whose values are escaped as text and attributes are. */
export function xml(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(escapeXml));
}

function escapeXml(text: string): string {
  return text
    .replaceAll(FORBIDDEN, '\u{FFFD}')
    .replaceAll(/[<>&"']/g, (character) => ENTITIES[character] ?? '');
}
