import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES } from '@agent-marketplace/core/kernel/rules.data.ts';
import { expect, it } from 'vitest';
import { REPOSITORY } from './repository.ts';

it('docs/moderation.md publishes the rules that operators decide by', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/moderation.md'), 'utf8');
  const section = page.slice(page.indexOf('## Rules'), page.indexOf('## Blocking'));
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, rule, text]) => [rule, text]);
  expect(rows).toEqual(Object.entries(RULES));
});
