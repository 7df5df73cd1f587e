/** What browsers load besides pages, as `build/build-assets.ts` makes it. */
export interface AssetFile {
  readonly body: string;
  readonly type: string;
}

export interface Assets {
  /** By path below `/assets/`. A name holds the hash of what it names, so that it may be kept for good. */
  readonly files: Readonly<Record<string, AssetFile>>;
  /** Path of the one style sheet, from the root. */
  readonly style: string;
  /** Paths of the scripts, from the root, by their names in `src/browser`. */
  readonly scripts: Readonly<Record<string, string>>;
}

export const ASSET_ROOT = '/assets/';
