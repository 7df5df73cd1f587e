import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../..');
const guide = readFileSync(join(REPOSITORY, 'docs/mcp.md'), 'utf8');
const block = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide)?.[1] ?? '';

const baseUrl = inject('sharedBaseUrl');

it('the walk-through of docs/mcp.md runs as it stands there, and prints what it says', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module-typescript', '-'], {
    cwd: REPOSITORY,
    env: { ...process.env, BASE: baseUrl },
    input: block('ts'),
  });
  expect(printed.toString('utf8')).toBe(block('text'));
});
