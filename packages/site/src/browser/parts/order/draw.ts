import type { Outline } from '../../../format/outline.ts';

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

/** Draws an outline in the browser. What lies within an `svg` is of its kind: the same names mean something else in HTML. */
export function draw(outline: Outline): HTMLElement {
  return drawIn(HTML, outline) as HTMLElement;
}

function drawIn(outer: typeof HTML | typeof SVG, { tag, attributes, content }: Outline): Element {
  const kind = tag === 'svg' ? SVG : outer;
  const node = document.createElementNS(kind, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...content.map((one) => (typeof one === 'string' ? one : drawIn(kind, one))));
  return node;
}
