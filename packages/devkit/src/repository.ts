import { join } from 'node:path';

/** The folder of this repository. */
export const REPOSITORY = join(import.meta.dirname, '../../..');
