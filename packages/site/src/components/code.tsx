import { visibleText } from '../format/text.ts';

/** Text with a copy button. A page that uses it names the script `copy`. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    <figure class="code">
      <figcaption>
        <span>{label}</span>
        <button type="button" data-copy hidden>
          Copy
        </button>
      </figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** A value by another author, as JSON that wraps. */
export function JsonFigure({ label, value }: { label: string; value: unknown }) {
  return <Code label={label} text={visibleText(JSON.stringify(value, null, 2) ?? 'null')} />;
}
