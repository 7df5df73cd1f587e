/** What browsers load besides pages, as `build/build-assets.ts` makes it. */
export interface AssetFile {
  readonly body: string;
  readonly type: string;
}

export interface Assets {
  /** By path below `/assets/`. The name contains a hash of the content, so that browsers may cache it forever. */
  readonly files: Readonly<Record<string, AssetFile>>;
  /** Path of the one style sheet, from the root. */
  readonly style: string;
  /** Paths of the scripts, from the root, by their names in `src/browser`. */
  readonly scripts: Readonly<Record<string, string>>;
}

export const ASSET_ROOT = '/assets/';
