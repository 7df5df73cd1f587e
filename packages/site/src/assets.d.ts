import type { Assets } from './asset-files.ts';

/** Of the module that `build/build-assets.ts` writes. */
export declare const assets: Assets;
