import { visibleText } from '../format/text.ts';

/** A short text that somebody else wrote: escaped, its direction kept to itself, its unseen characters marked. */
export function SellerText({ text }: { text: string }) {
  return (
    <bdi class="seller-text" dir="auto">
      {visibleText(text)}
    </bdi>
  );
}

/** A long one, with its line breaks. */
export function SellerProse({ text }: { text: string }) {
  return (
    <div class="seller-prose" dir="auto">
      {visibleText(text)}
    </div>
  );
}

/** A sentence of ours in which `backticks` mark code, as the API writes them. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`');
  // An unpaired backtick is just a character.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}
