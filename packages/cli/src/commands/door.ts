import { AdmissionRefused, Berth, type MarketplaceClient } from '@agent-marketplace/sdk';
import { Option } from '@commander-js/extra-typings';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';
import { fetchDoorProof } from '../verification/fetch-door-proof.ts';

const CLASSES = ['COMMERCE', 'RESEARCH', 'FOUNDING', 'SETTLEMENT', 'PILOT', 'GUEST'] as const;
const SIDES = ['buy', 'sell'] as const;

type Occupancy = Awaited<ReturnType<MarketplaceClient['getOccupancy']>>;

export const addDoor: AddCommand = (program, act) => {
  const door = program
    .command('door')
    .description('The ingress door: who is there now, and being there yourself.');

  door
    .command('show', { isDefault: true })
    .description('Whether it is open, and how many are live.')
    .addOption(new Option('--class <class>').choices(CLASSES))
    .addOption(new Option('--side <side>').choices(SIDES))
    .option('--vertical <slug>')
    .action(
      act(async (shell, filter) => {
        const { client } = shell;
        const [{ status, summary }, occupancy] = await Promise.all([
          client.getDoor(),
          client.getOccupancy(filter),
        ]);
        shell.print({ status, summary, occupancy }, `The door is ${status}. ${describe(occupancy)}`);
      }),
    );

  door
    .command('keys')
    .description('What verifies its receipts. Keep it, to verify later without the marketplace.')
    .action(
      act(async (shell) => {
        const proof = await fetchDoorProof(shell.client);
        shell.print(proof, JSON.stringify(proof, null, 2));
      }),
    );

  door
    .command('enter')
    .description('Enter with a key of its own, and stay by heartbeats until Ctrl-C.')
    .addOption(new Option('--class <class>', 'what you come for').choices(CLASSES).makeOptionMandatory())
    .addOption(new Option('--side <side>').choices(SIDES).makeOptionMandatory())
    .option('--vertical <slug>')
    .option('--once', 'ask for admission, and do not stay')
    .action(
      act(async (shell, { class: intentClass, side, vertical, once }) => {
        const secret = shell.terminal.env.AGENT_MARKET_BERTH_KEY;
        const berth = await berthOf(shell, secret);
        const terms = { intentClass, side, ...(vertical === undefined ? {} : { vertical }) };
        const admission = await (once ? berth.admit(terms) : berth.enter(terms)).catch(refused);
        const { sessionId, expiresAt, receipt } = admission;
        const { depth } = receipt as unknown as { depth: Occupancy };
        shell.print(
          receipt,
          `Admitted as ${sessionId} until ${expiresAt}. On the other side: ${describe(depth)}`,
        );
        if (once) return;
        shell.isEndless = true;
        shell.note('Staying by heartbeats. Ctrl-C leaves.');
        await new Promise<void>((resolve) =>
          shell.terminal.interrupt.addEventListener('abort', () => resolve()),
        );
        berth.leave();
      }),
    );
};

const describe = ({ live_counterparties: live, classification }: Occupancy): string =>
  `${live} live, ${classification.toLowerCase()}.`;

async function berthOf(shell: Shell, secret: string | undefined): Promise<Berth> {
  try {
    return await Berth.create({
      baseUrl: shell.url,
      ...(secret ? { secret } : {}),
      onTrouble: () => shell.note('A heartbeat failed; the next one tries anew.'),
    });
  } catch (error) {
    if (error instanceof TypeError)
      throw new CliFailure('usage', 'AGENT_MARKET_BERTH_KEY is 32 bytes as hex.');
    throw error;
  }
}

function refused(error: unknown): never {
  if (!(error instanceof AdmissionRefused)) throw error;
  const exit = error.status === 0 ? 'unreachable' : error.retryable ? 'try_later' : 'refused';
  throw new CliFailure(exit, `The door refuses: ${error.code}.`, {
    facts: { code: error.code, problem: error.receipt },
  });
}
