import { wholeNumber } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';
import { plainLine } from '../output/plain-text.ts';
import { DEFAULT_CONFIG } from './default-config.data.ts';

const DEFAULT_PORT = 9000;

export interface ServeChoice {
  readonly config: string;
  readonly host: string;
  readonly port?: number | undefined;
  readonly envFile?: string | undefined;
  readonly answers?: string | undefined;
}

export const addGateway: AddCommand = (program, act) => {
  const gateway = program
    .command('gateway')
    .description('Deliver what `sell` listed: answers the marketplace and asks your API.')
    .option('--config <file>', 'what `sell` wrote', DEFAULT_CONFIG)
    .option('--port <port>', `where it listens (PORT, else ${DEFAULT_PORT})`, wholeNumber)
    .option('--host <address>', 'on which address', '127.0.0.1')
    .option('--env-file <file>', 'with the secrets, of mode 0600; else the environment')
    .option('--answers <folder>', 'where answers are kept; else beside the file of --config')
    .action(act((shell, options) => runGateway(shell, options)));
  gateway
    .command('export')
    .description('Write a folder that runs the gateway elsewhere.')
    .argument('<kind>', 'worker: for `wrangler deploy`; container: with a Dockerfile')
    .argument('<folder>', 'is made if there is none')
    .option('--force', 'replace a wrangler.toml or Dockerfile that you edited')
    .action(
      act(async (shell, kind, folder, { force }) => {
        if (kind !== 'worker' && kind !== 'container')
          throw new CliFailure('usage', 'Say `worker` or `container`.');
        const { config } = gateway.opts();
        const { readGatewayConfig } = await import('./config-file.ts');
        const { exportGateway } = await import('./export-gateway.ts');
        const read = await readGatewayConfig(config);
        if (read === null)
          throw new CliFailure('config', `There is no ${config}.`, {
            hint: 'It is written by: agent-market sell',
          });
        const { files, kept } = await exportGateway(kind, folder, read, force === true);
        const next =
          kind === 'worker' ? `cd '${folder}' && npx wrangler deploy` : `docker build -t gateway '${folder}'`;
        const keptLine =
          kept.length === 0 ? '' : `Kept ${kept.join(', ')} as it is there; --force replaces it.\n`;
        shell.print(
          { folder, files, kept },
          `Wrote ${files.join(', ')} to ${folder}.\n${keptLine}Next: ${next}`,
        );
      }),
    );
};

/** Serves until it is interrupted. */
async function runGateway(shell: Shell, choice: ServeChoice): Promise<void> {
  const running = await startGateway(shell, choice);
  const { noteUnserved } = await import('./note-unserved.ts');
  await noteUnserved(shell, running.config);
  await untilInterrupted(shell);
  await running.close();
}

export async function startGateway(shell: Shell, choice: ServeChoice) {
  const { config, host, port, envFile, answers = config.replace(/(\.json)?$/, '-answers') } = choice;
  const { readSecrets } = await import('./config-file.ts');
  const { serveGateway } = await import('./serve-gateway.ts');
  const secrets = await readSecrets(envFile, shell.terminal.env);
  const log = (line: string) => shell.note(`${new Date().toISOString()} ${plainLine(line)}`);
  const running = await serveGateway({
    configPath: config,
    secrets,
    answersPath: answers,
    host,
    port: portOf(port, shell),
    log,
  });
  shell.note(`The gateway listens on http://${host}:${running.port}. Stop it with Ctrl-C.`);
  return running;
}

export function portOf(port: number | undefined, { terminal: { env } }: Pick<Shell, 'terminal'>): number {
  const chosen = port ?? (env.PORT ? Number(env.PORT) : DEFAULT_PORT);
  if (Number.isInteger(chosen) && chosen >= 0 && chosen <= 65_535) return chosen;
  throw new CliFailure('usage', 'The port must be a number up to 65535.');
}

export function untilInterrupted({ terminal: { interrupt } }: Pick<Shell, 'terminal'>): Promise<void> {
  return new Promise((resolve) => {
    if (interrupt.aborted) resolve();
    else interrupt.addEventListener('abort', () => resolve(), { once: true });
  });
}
