import { jsx } from 'hono/jsx';
import type { Outline } from '../format/outline.ts';

/** Draws an outline on the server. */
export function Drawn({ outline: { tag, attributes, content } }: { outline: Outline }) {
  return jsx(
    tag,
    attributes,
    ...content.map((one) => (typeof one === 'string' ? one : <Drawn outline={one} />)),
  );
}
