import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonErrors } from '@agent-marketplace/core/kernel/errors.ts';
import { RULES } from '@agent-marketplace/core/kernel/rules.data.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
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

/** Refusals of operations that publish texts, because of what stands in the text. */
const BECAUSE_OF_TEXT: readonly string[] = [
  'health_declaration_rejected',
  'health_flow_required',
  'listing_blocked',
  'reserved_display_name',
  'sensitive_content',
];
/** And because of who asks, or of how things are. */
const FOR_ANOTHER_REASON: readonly string[] = [
  'admin_required',
  'agent_not_found',
  'endpoint_not_verified',
  'endpoint_timed_out',
  'health_consent_gone',
  'listing_changed',
  'listing_not_found',
  'not_listing_owner',
  'not_purchase_owner',
  'purchase_not_found',
  'purchase_not_paid',
  'purchase_of_other_listing',
  'rating_removed',
  'role_missing',
];

it('docs/moderation.md names every rule by which a text is refused without an operator, and there is no other', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/moderation.md'), 'utf8');
  const section = page.slice(page.indexOf('## What is refused by itself'));
  const named = [...section.matchAll(/\(`(\w+)`\)/g)].map(([, code]) => code);
  expect(named.sort()).toEqual(BECAUSE_OF_TEXT);
  const codes = apiOperations
    .filter(({ auth, publicFields = [] }) => auth !== 'operator' && publicFields.length > 0)
    .flatMap(({ errors }) => errors.map(({ code }) => code))
    .concat(commonErrors.sensitive_content.code);
  expect([...new Set(codes)].sort(), 'Say of a new refusal whether a text causes it.').toEqual(
    [...BECAUSE_OF_TEXT, ...FOR_ANOTHER_REASON].sort(),
  );
});
