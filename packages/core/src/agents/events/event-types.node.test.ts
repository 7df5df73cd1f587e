import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT_EVENT_TYPES } from '../../db/tables/events.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../../docs/agents.md'), 'utf8');

/** What the first column of the table of events names. */
const documented = PAGE.split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([a-z_]+\.[a-z_]+)`/g)])
  .map(([, type]) => type);

describe('docs/agents.md has a row for', () => {
  it.each(AGENT_EVENT_TYPES)('%s', (type) => {
    expect(documented).toContain(type);
  });
});
