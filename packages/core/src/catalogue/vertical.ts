export interface Vertical {
  readonly slug: string;
  readonly name: string;
  /** One emoji. */
  readonly icon: string;
  /** Slug of the macro-category it belongs to. */
  readonly categorySlug: string;
  readonly description: string;
  /**
   * Lower-case words and short phrases that a listing of this vertical is likely to use, and listings of other
   * verticals are not. Auto-filing matches them against title, description and category hint.
   */
  readonly keywords: readonly string[];
  /** True for the one vertical of its category that takes listings which match no other. */
  readonly isGeneral: boolean;
  /** True for verticals whose listings are served by another site and are only linked to from here. */
  readonly isExternal: boolean;
}

type Declared = Omit<Vertical, 'isGeneral' | 'isExternal'>;

export function vertical(declared: Declared): Vertical {
  return { ...declared, isGeneral: false, isExternal: false };
}

export function generalVertical(declared: Omit<Declared, 'slug'>): Vertical {
  return { ...declared, slug: `${declared.categorySlug}-general`, isGeneral: true, isExternal: false };
}
