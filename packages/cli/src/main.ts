import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import manifest from '../package.json' with { type: 'json' };
import { commands } from './commands.ts';
import { CliFailure } from './frame/cli-failure.ts';
import type { Act, Program } from './frame/command.ts';
import { EXIT_CODES } from './frame/exit-codes.data.ts';
import { explainFailure } from './frame/explain-failure.ts';
import { Shell } from './frame/shell.ts';
import type { Terminal } from './frame/terminal.ts';
import { printableJson } from './output/plain-text.ts';

/**
 * Runs one command.
 *
 * @param args what stands after the program's name.
 * @returns the exit code, one of `EXIT_CODES`.
 */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const { interrupt } = terminal;
  let shell: Shell | null = null;
  let running: CommandUnknownOpts | null = null;
  const act: Act =
    (handle) =>
    async (...values) => {
      running = values.at(-1) as CommandUnknownOpts;
      shell = await Shell.open(terminal, program.opts());
      await handle(shell, ...values);
    };
  const isJson = args.includes('--json');
  const helped: string[] = [];
  const stdout = isJson ? { write: (text: string) => helped.push(text) } : terminal.stdout;
  const program = buildProgram(act, { stdout, stderr: terminal.stderr });
  const interrupted = new Promise<never>((_, reject) => {
    const stop = () => reject(new CliFailure('interrupted', 'Stopped.'));
    if (interrupt.aborted) stop();
    else interrupt.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([program.parseAsync([...args], { from: 'user' }), interrupted]);
    return EXIT_CODES.ok.code;
  } catch (error) {
    const explain = (shell as Shell | null)?.onInterrupt;
    const failure = interrupt.aborted && explain ? await explain() : error;
    if (failure instanceof CommanderError && failure.exitCode === 0) {
      if (isJson) terminal.stdout.write(`${printableJson(helpDocument(failure, helped.join('')), 2)}\n`);
      return EXIT_CODES.ok.code;
    }
    return report(
      failure,
      { isJson, isEndless: (shell as Shell | null)?.isEndless === true, command: running },
      terminal,
    );
  }
}

const helpDocument = ({ code }: CommanderError, text: string) =>
  code === 'commander.version' ? { version: manifest.version } : { help: text };

/** Where text goes. */
interface Writer {
  write(text: string): unknown;
}

export function buildProgram(
  act: Act,
  { stdout, stderr }: { readonly stdout: Writer; readonly stderr: Writer },
): Program {
  const program = new Command('agent-market')
    .description('Buy, sell and verify on an agent marketplace.')
    .version(manifest.version)
    .option('--json', 'print the result as JSON on stdout, errors too')
    .option('--profile <name>', 'the profile of the config file (AGENT_MARKET_PROFILE)')
    .option('--url <url>', 'the API root, which ends in /api (AGENT_MARKET_URL)');
  // Before the commands, which take it over.
  program
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // Errors are reported in one place, as JSON too.
      outputError: () => {},
    })
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      '\nKeys are read from the config file, AGENT_MARKET_KEY or a prompt, never from an option: other programs see those.',
    );
  for (const add of commands) add(program, act);
  return program;
}

interface Reporting {
  readonly isJson: boolean;
  /** Whether it prints one document a line. */
  readonly isEndless: boolean;
  readonly command: CommandUnknownOpts | null;
}

function report(
  error: unknown,
  { isJson, isEndless, command }: Reporting,
  { stdout, stderr, env }: Terminal,
): number {
  const failure = failureOf(error, command);
  const { code: exitCode } = EXIT_CODES[failure.exit];
  if (failure.exit === 'fault' && env.AGENT_MARKET_DEBUG && error instanceof Error)
    stderr.write(`${error.stack}\n`);
  if (isEndless && failure.exit === 'interrupted') return exitCode;
  if (isJson) {
    const { message, facts } = failure;
    const answer = { error: { code: failure.exit, message, exitCode, ...facts } };
    stdout.write(`${isEndless ? printableJson(answer) : printableJson(answer, 2)}\n`);
  } else {
    const lines = [`agent-market: ${failure.message}`, ...(failure.hint ? [failure.hint] : [])];
    stderr.write(`${lines.join('\n')}\n`);
  }
  return exitCode;
}

function failureOf(error: unknown, command: CommandUnknownOpts | null): CliFailure {
  if (error instanceof CommanderError) {
    if (error.code === 'commander.help') return new CliFailure('usage', 'Name a command.');
    return new CliFailure('usage', error.message.replace(/^error: /, ''), {
      hint: 'See: agent-market --help',
    });
  }
  const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return (
    explainFailure(error, (field) => optionFor(command, field)) ??
    new CliFailure('fault', `This is a fault of agent-market: ${name}`, {
      hint: 'With AGENT_MARKET_DEBUG=1 it shows where.',
    })
  );
}

/** The option that a field of the API is said with: `--amount-cents` for `amount_cents`; else the field. */
function optionFor(command: CommandUnknownOpts | null, field: string): string {
  const name = field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return command?.options.find((option) => option.attributeName() === name)?.long ?? field;
}
