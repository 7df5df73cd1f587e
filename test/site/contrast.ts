import type { Page } from 'playwright-core';

/** Of text, by WCAG 2: 24 px, or 18.66 px in bold, is large. */
const LEAST = { text: 4.5, large: 3 };

/** The colours of an element's text and of what is behind it, as `[red, green, blue]` from 0 to 255, and its size. */
interface Colours {
  readonly target: string;
  readonly ink: readonly number[];
  readonly ground: readonly number[];
  readonly isLarge: boolean;
}

/** Elements whose text has too little contrast with the nearest opaque ground among those that it lies in. */
export async function contrastFaults(page: Page, targets: readonly string[]): Promise<string[]> {
  if (targets.length === 0) return [];
  const found = (await page.evaluate(`(${readColours})(${JSON.stringify(targets)})`)) as Colours[];
  return found.flatMap(({ target, ink, ground, isLarge }) => {
    const ratio = contrast(ink, ground);
    return ratio >= (isLarge ? LEAST.large : LEAST.text)
      ? []
      : [`contrast of ${ratio.toFixed(2)}: ${target}`];
  });
}

/** Runs in the page. A ground of which a part is transparent is mixed with what is behind it. */
const readColours = `(targets) => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, n) => (part * a + below[n] * (255 - a)) / 255);
  return targets.map((target) => {
    const element = document.querySelector(target);
    const style = getComputedStyle(element);
    const grounds = [];
    for (let at = element; at; at = at.parentElement) grounds.push(rgba(getComputedStyle(at).backgroundColor));
    const ground = grounds.reduceRight((below, colour) => over(colour, below), [255, 255, 255]);
    const isSvg = element instanceof SVGElement;
    const size = Number.parseFloat(style.fontSize);
    return {
      target,
      ink: over(rgba(isSvg ? style.fill : style.color), ground),
      ground,
      isLarge: size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700),
    };
  });
}`;

function contrast(ink: readonly number[], ground: readonly number[]): number {
  const [light = 0, dark = 0] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
