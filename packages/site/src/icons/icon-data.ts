/** An icon as the elements of an SVG of 24 by 24. */
export interface IconData {
  readonly name: string;
  readonly node: readonly (readonly [element: string, attributes: Readonly<Record<string, string>>])[];
}
