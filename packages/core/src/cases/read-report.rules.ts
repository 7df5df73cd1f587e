import { RULES, type Rule } from '../kernel/rules.data.ts';
import type { Subject } from './subjects.store.ts';

const SUBJECT = new RegExp(
  `^\\s*(listing|rating|agent)[\\s:,]+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[\\s:,]+(${Object.keys(RULES).join('|')})\\s*$`,
  'i',
);
/** Of the text of a report. */
const MAX_CHARACTERS = 2000;

/** What a line like "listing <id> <rule>" reports; null: it is none. Of a longer text the beginning is kept. */
export function readReport(
  line: string,
  text: string,
): { readonly subject: Subject; readonly report: { readonly reason: Rule; readonly text: string } } | null {
  const [, type, id, rule] = SUBJECT.exec(line) ?? [];
  if (type === undefined || id === undefined || rule === undefined) return null;
  return {
    subject: { type: type.toLowerCase() as Subject['type'], id: id.toLowerCase() },
    report: { reason: rule.toLowerCase() as Rule, text: [...text].slice(0, MAX_CHARACTERS).join('') },
  };
}
