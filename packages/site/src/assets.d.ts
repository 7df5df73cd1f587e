import type { Assets } from './asset-files.ts';

/** The module that `build/build-assets.ts` writes. */
export declare const assets: Assets;
