import { visibleText } from '../format/text.ts';

/** A short text by another author: escaped, with its own text direction and visible marks for invisible characters. */
export function SellerText({ text }: { text: string }) {
  return (
    <bdi class="seller-text" dir="auto">
      {visibleText(text)}
    </bdi>
  );
}

/** A long text by another author, with its line breaks. */
export function SellerProse({ text }: { text: string }) {
  return (
    <div class="seller-prose" dir="auto">
      {visibleText(text)}
    </div>
  );
}

/** So much of a text is read before the rest is asked for: about a screen of a phone. */
const BEGINNING = 1200;
/** What is left must be worth a press. */
const LEAST_REST = 300;

/** A text of any length by another author: its beginning, and the rest once its reader wants it. */
export function FoldedProse({ text }: { text: string }) {
  if (text.length < BEGINNING + LEAST_REST) return <SellerProse text={text} />;
  // Whole characters: half of a pair would be none.
  const head = [...text].slice(0, BEGINNING).join('');
  const space = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n'));
  const beginning = space > 0 ? head.slice(0, space) : head;
  return (
    <>
      <SellerProse text={`${beginning}…`} />
      <details>
        <summary>Read the rest</summary>
        <SellerProse text={text.slice(beginning.length).trimStart()} />
      </details>
    </>
  );
}

/** Our own text as the API writes it, where `backticks` mark code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`');
  // An unpaired backtick is just a character.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}
