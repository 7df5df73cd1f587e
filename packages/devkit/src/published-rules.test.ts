import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES } from '@agent-marketplace/core/kernel/rules.data.ts';
import { saleEffect } from '@agent-marketplace/core/sales/moderation/sale-effect.rules.ts';
import type { SaleStatus } from '@agent-marketplace/core/sales/sale-status.rules.ts';
import { saleStatus } from '@agent-marketplace/core/sales/sales.schema.ts';
import { expect, it } from 'vitest';
import { REPOSITORY } from './repository.ts';

const WORDS = { cancel: 'cancelled', hold: 'held', continue: 'goes on' } as const;
const CAUSES = ['listing_blocked', 'seller_suspended', 'buyer_suspended'] as const;

it('docs/moderation.md says what becomes of purchases as the rule has it, for every status', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/moderation.md'), 'utf8');
  const section = page.slice(page.indexOf('## What becomes of purchases'));
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \| (.+) \|$/gm)];
  expect(rows.map(([, status]) => status).sort()).toEqual([...saleStatus.options].sort());
  for (const [, status, ...effects] of rows) {
    expect([status, effects]).toEqual([
      status,
      CAUSES.map((cause) => WORDS[saleEffect(cause, status as SaleStatus)]),
    ]);
  }
});

it('docs/moderation.md publishes the rules that operators decide by', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/moderation.md'), 'utf8');
  const section = page.slice(page.indexOf('## Rules'), page.indexOf('## Blocking'));
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, rule, text]) => [rule, text]);
  expect(rows).toEqual(Object.entries(RULES));
});
