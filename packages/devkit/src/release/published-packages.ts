import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildCli } from '../build-cli.ts';
import { REPOSITORY } from '../repository.ts';

const run = promisify(execFile);

export interface PublishedPackage {
  readonly folder: string;
  /** Writes its `dist`. */
  build(): Promise<unknown>;
}

const folderOf = (name: string) => join(REPOSITORY, 'packages', name);

const sdk: PublishedPackage = {
  folder: folderOf('sdk'),
  build: () =>
    run(join(REPOSITORY, 'node_modules/.bin/tsdown'), ['--logLevel', 'error'], { cwd: folderOf('sdk') }),
};

const cli: PublishedPackage = { folder: folderOf('cli'), build: () => buildCli() };

/** What strangers install. */
export const PUBLISHED = { sdk, cli };
