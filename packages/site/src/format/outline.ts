/**
 * An element made of text and elements. The server draws it into a page (`components/drawn.tsx`) and a script into the
 * document (`browser/parts/draw.ts`), so that what comes later looks like what was there.
 */
export interface Outline {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly (Outline | string)[];
}

type Content = Outline | string | null | false;

export function outline(
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly Content[]
): Outline {
  return { tag, attributes, content: content.filter((one) => one !== null && one !== false) };
}
