import type { Outline } from '../../../format/outline.ts';
import { element } from '../dom.ts';

/** Draws an outline in the browser. */
export function draw({ tag, attributes, content }: Outline): HTMLElement {
  return element(tag, attributes, ...content.map((one) => (typeof one === 'string' ? one : draw(one))));
}
