import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const OF_TESTS = join(REPOSITORY, 'packages/sdk/node_modules');

/** What `npm install` would bring to the projects below this folder. */
export async function linkPackages(folder: string): Promise<void> {
  const links = {
    '@agent-marketplace/sdk': join(REPOSITORY, 'packages/sdk'),
    '@types/node': join(REPOSITORY, 'node_modules/@types/node'),
    '@types/express': join(OF_TESTS, '@types/express'),
    express: join(OF_TESTS, 'express'),
    fastify: join(OF_TESTS, 'fastify'),
    hono: join(OF_TESTS, 'hono'),
  };
  for (const [name, target] of Object.entries(links)) {
    const path = join(folder, 'node_modules', name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path, 'dir');
  }
}
