import { codeOutline, jsonOutline } from '../format/code-outline.ts';
import { Drawn } from './drawn.tsx';

/** Text with a copy button. A page that uses it names the script `copy`. */
export function Code({ label, text }: { label: string; text: string }) {
  return <Drawn outline={codeOutline(label, text)} />;
}

/** A value by another author, as JSON that wraps. */
export function JsonFigure({ label, value }: { label: string; value: unknown }) {
  return <Drawn outline={jsonOutline(label, value)} />;
}
