import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { listOf, wholeNumber } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';
import { amount } from '../output/money.ts';
import { table } from '../output/table.ts';

type KeyInput = Parameters<MarketplaceClient['createKey']>[0];
type Budget = Awaited<ReturnType<MarketplaceClient['getKeyBudget']>>;

const SCOPES: readonly string[] = ['read', 'buy', 'sell', 'manage', 'all'];

export const addKeys: AddCommand = (program, act) => {
  const keys = program.command('keys').description('API keys of the agent, and their budgets.');

  keys
    .command('list', { isDefault: true })
    .description('Every key, without its text.')
    .action(
      act(async (shell) => {
        const listed = await shell.me.listKeys();
        const rows = listed.keys.map(({ id, label, scopes, state, expiresAt, lastUsedAt }) => [
          id,
          label,
          scopes.join(','),
          state,
          expiresAt ?? '',
          lastUsedAt ?? 'never',
          id === listed.callerKeyId ? 'this one' : '',
        ]);
        const headings = ['KEY', 'LABEL', 'SCOPES', 'STATE', 'ENDS', 'LAST USED', ''];
        shell.print(
          listed,
          await table(
            headings.map((heading) => ({ heading })),
            rows,
          ),
        );
      }),
    );

  keys
    .command('create')
    .description('Make a key for one of your programs. It is printed once, unless a profile keeps it.')
    .requiredOption('--label <text>', 'what it is for')
    .requiredOption('--scope <scope>', `${SCOPES.join(', ')}; repeated, or with commas`, listOf)
    .option('--expires-at <time>', 'when it ends, as 2030-01-01T00:00:00Z')
    .option('--per-purchase-cents <cents>', 'the most that one purchase may cost', wholeNumber)
    .option('--per-day-cents <cents>', 'the most in a day (UTC)', wholeNumber)
    .option('--per-week-cents <cents>', 'the most in a week', wholeNumber)
    .option('--per-month-cents <cents>', 'the most in a calendar month', wholeNumber)
    .option('--total-cents <cents>', 'the most for good', wholeNumber)
    .option('--approval-above-cents <cents>', 'what costs more waits for a person', wholeNumber)
    .option('--seller <id>', 'of these sellers only; repeated, or with commas', listOf)
    .option('--vertical <slug>', 'in these verticals only', listOf)
    .option('--rail <rail>', 'in these ways only: wallet, card, checkout, x402', listOf)
    .option('--save-as <profile>', 'keep it in this profile, and do not print it')
    .action(
      act(async (shell, { label, scope, expiresAt, seller, vertical, rail, saveAs, ...limits }) => {
        const wrong = scope.find((one) => !SCOPES.includes(one));
        if (wrong !== undefined)
          throw new CliFailure('usage', `"${wrong}" is no scope: ${SCOPES.join(', ')}.`);
        const policy = { ...limits, sellers: seller, verticals: vertical, rails: rail };
        const isBounded = Object.values(policy).some((limit) => limit !== undefined);
        const created = await shell.me.createKey({
          label,
          scopes: scope as KeyInput['scopes'],
          expiresAt,
          ...(isBounded ? { policy } : {}),
        });
        await printKey(shell, created, saveAs);
      }),
    );

  keys
    .command('budget')
    .description('What a key may spend, spent, and has left.')
    .argument('<key-id>')
    .action(
      act(async (shell, keyId) => {
        const budget = await shell.me.getKeyBudget({ keyId });
        shell.print(budget, await describeBudget(budget));
      }),
    );

  keys
    .command('rotate')
    .description(
      'Give a key a new text. The old one works for a while; the profile that has it gets the new one.',
    )
    .argument('<key-id>')
    .option('--overlap-hours <hours>', 'how long the old one works, 0 to 24; default 1', wholeNumber)
    .option('--save-as <profile>', 'keep it in this profile, and do not print it')
    .action(
      act(async (shell, keyId, { overlapHours, saveAs }) => {
        const { callerKeyId } = await shell.me.listKeys();
        const { profileName, apiKey } = shell.settings;
        const isOfProfile = keyId === callerKeyId && shell.config.profiles[profileName]?.apiKey === apiKey;
        const rotated = await shell.me.rotateKey({ keyId, overlapHours });
        await printKey(shell, rotated, saveAs ?? (isOfProfile ? profileName : undefined));
        shell.note(`The old one works until ${rotated.replacedEndsAt}.`);
      }),
    );

  keys
    .command('revoke')
    .description('End a key at once, with all keys that were made with it.')
    .argument('<key-id>')
    .action(
      act(async (shell, keyId) => {
        const revoked = await shell.me.revokeKey({ keyId });
        shell.print(revoked, `Revoked ${keyId}.`);
      }),
    );
};

interface NewKey {
  readonly apiKey: string;
  readonly key: { readonly id: string; readonly label: string };
}

/** A key is shown once: if it cannot be saved, it is printed. */
async function printKey(shell: Shell, answer: NewKey, profile: string | undefined): Promise<void> {
  const { apiKey, key } = answer;
  if (profile === undefined) {
    shell.print(answer, apiKey);
    return;
  }
  const { config, url } = shell;
  const present = config.profiles[profile];
  try {
    const kept = { ...(present?.url === url ? present : {}), url, apiKey };
    await shell.saveConfig({ ...config, profiles: { ...config.profiles, [profile]: kept } });
  } catch (error) {
    shell.note(`The key could not be saved. This is the only time it is shown: ${apiKey}`);
    throw error;
  }
  shell.print(
    { key, profile, configPath: shell.configPath },
    `The key "${key.label}" is in the profile "${profile}".`,
  );
}

async function describeBudget({ policy, windows }: Budget): Promise<string> {
  if (policy === null) return 'No policy bounds it.';
  const limits = Object.entries({
    'One purchase': policy.perPurchaseCents,
    'Without approval': policy.approvalAboveCents,
  }).flatMap(([name, cents]) => (cents === null ? [] : [`${name}: at most ${amount(cents)}`]));
  const only = Object.entries({ sellers: policy.sellers, verticals: policy.verticals, rails: policy.rails });
  const columns = ['WINDOW', 'LIMIT', 'RESERVED', 'SPENT', 'LEFT', 'ENDS'].map((heading) => ({ heading }));
  const rows = windows.map(({ period, limitCents, reservedCents, spentCents, leftCents, endsAt }) => [
    period,
    limitCents === null ? '-' : amount(limitCents),
    amount(reservedCents),
    amount(spentCents),
    leftCents === null ? '-' : amount(leftCents),
    endsAt ?? '',
  ]);
  return [
    ...limits,
    ...only.flatMap(([name, values]) =>
      values === null ? [] : [`Only these ${name}: ${values.join(', ')}`],
    ),
    await table(columns, rows),
  ].join('\n');
}
