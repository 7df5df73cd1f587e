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

/** Our own text as the API writes it, where `backticks` mark code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`');
  // An unpaired backtick is just a character.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}
