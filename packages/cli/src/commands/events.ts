import type { AgentEvent } from '@agent-marketplace/sdk';
import { wholeNumber } from '../frame/arguments.ts';
import type { AddCommand } from '../frame/command.ts';

export const addEvents: AddCommand = (program, act) => {
  program
    .command('events')
    .description('What happened to your account, purchases and sales, in sequence. Kept for 30 days.')
    .option('--after <sequence>', 'only what came after this one', wholeNumber)
    .option('--follow', 'wait for more, until Ctrl-C; with --json one event a line')
    .action(
      act(async (shell, { after, follow }) => {
        if (!follow) {
          const page = await shell.me.listAgentEvents({ after });
          shell.print(
            page,
            page.events.length === 0 ? 'There is none.' : page.events.map(describe).join('\n'),
          );
          if (page.missed > 0) shell.note(`${page.missed} before these are no longer kept.`);
          if (page.nextAfter < page.lastSequence) shell.note(`There are more: --after ${page.nextAfter}`);
          return;
        }
        shell.isEndless = true;
        const onMissed = (count: number) => shell.note(`${count} before these are no longer kept.`);
        const { interrupt: signal, sleep } = shell.terminal;
        for await (const event of shell.me.events({
          ...(after === undefined ? {} : { after }),
          onMissed,
          signal,
          sleep,
        })) {
          shell.printLine(event, describe(event));
        }
      }),
    );
};

const describe = ({ sequence, createdAt, type, link, data }: AgentEvent): string =>
  [sequence, createdAt, type, link ?? data.listingId ?? ''].join('  ').trimEnd();
