import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import pc from 'picocolors';
import { type Config, configPath, readConfig, writeConfig } from '../config/config-file.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import { printableJson } from '../output/plain-text.ts';
import { CliFailure } from './cli-failure.ts';
import type { Terminal } from './terminal.ts';

/** Options that every command has. */
export type GlobalOptions = {
  readonly json?: true | undefined;
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
};

type Colours = ReturnType<typeof pc.createColors>;

/** What a command works with: the client, what it prints, and what it asks. */
export class Shell {
  readonly terminal: Terminal;
  readonly settings: Settings;
  readonly config: Config;
  readonly configPath: string;
  /** Whether the output is JSON. */
  readonly isJson: boolean;
  readonly colours: Colours;
  /** What to say when the command is interrupted, where it may have moved money. */
  onInterrupt: (() => Promise<CliFailure>) | null = null;
  /** Whether the command goes on until Ctrl-C, which is then no failure to report; with `--json` each line is one value. */
  isEndless = false;
  #spin: { message(text: string): void } | null = null;

  private constructor(terminal: Terminal, options: GlobalOptions, config: Config, path: string) {
    this.terminal = terminal;
    this.config = config;
    this.configPath = path;
    this.settings = resolveSettings(config, options, terminal.env);
    this.isJson = options.json === true;
    this.colours = coloursFor(terminal, terminal.stdout);
  }

  static async open(terminal: Terminal, options: GlobalOptions): Promise<Shell> {
    const path = configPath(terminal.env);
    const { config, warning } = await readConfig(path);
    const shell = new Shell(terminal, options, config, path);
    if (warning !== null) shell.note(warning);
    return shell;
  }

  /** The API root. */
  get url(): string {
    const { url, profileName } = this.settings;
    if (url !== null) return url;
    throw new CliFailure('config', `No marketplace is set for the profile "${profileName}".`, {
      hint: 'Name one: agent-market register --url https://market.example/api, or set AGENT_MARKET_URL.',
    });
  }

  /** Sends the key if there is one. */
  get client(): MarketplaceClient {
    return this.#clientOver(globalThis.fetch);
  }

  /** @throws CliFailure without a key. */
  get me(): MarketplaceClient {
    return this.meOver(globalThis.fetch);
  }

  /** As `me`, with requests sent by `fetch`. */
  meOver(fetch: typeof globalThis.fetch): MarketplaceClient {
    if (this.settings.apiKey !== null) return this.#clientOver(fetch);
    throw new CliFailure('key', `There is no API key for ${this.url}.`, {
      hint: 'Get one with: agent-market register. Or add yours with: agent-market profiles add, or set AGENT_MARKET_KEY.',
    });
  }

  /** The result: with `--json` the value, in one document, otherwise the text. */
  print(value: object, text: string): void {
    this.#write(this.isJson ? printableJson(value, 2) : text);
  }

  /** One of many results: with `--json` the value in one line. */
  printLine(value: object, text: string): void {
    this.#write(this.isJson ? printableJson(value) : text);
  }

  /** For the person, beside the result. */
  note(text: string): void {
    this.terminal.stderr.write(`${text}\n`);
  }

  /** Whether somebody can be asked. */
  get isInteractive(): boolean {
    const { stdin, stderr, env } = this.terminal;
    return stdin.isTTY === true && stderr.isTTY === true && !env.CI;
  }

  /** Says what is being waited for, on stderr. */
  async progress<T>(text: string, work: Promise<T>): Promise<T> {
    const { stderr } = this.terminal;
    if (!stderr.isTTY || this.terminal.env.CI) {
      this.note(text);
      return work;
    }
    const { spinner } = await import('@clack/prompts');
    const spin = spinner({ output: stderr, withGuide: false });
    spin.start(text);
    this.#spin = spin;
    try {
      return await work;
    } finally {
      this.#spin = null;
      spin.clear();
    }
  }

  /** Says what is being waited for from here on. */
  step(text: string): void {
    if (this.#spin === null) this.note(text);
    else this.#spin.message(text);
  }

  async confirm(message: string): Promise<boolean> {
    const { confirm } = await import('@clack/prompts');
    return (await this.#answerOf(confirm({ message, ...this.#prompts() }))) === true;
  }

  async askText(message: string): Promise<string> {
    const { text } = await import('@clack/prompts');
    return String(await this.#answerOf(text({ message, ...this.#prompts() })));
  }

  /** Without showing what is typed. */
  async askSecret(message: string): Promise<string> {
    const { password } = await import('@clack/prompts');
    return String(await this.#answerOf(password({ message, ...this.#prompts() })));
  }

  async saveConfig(config: Config): Promise<void> {
    await writeConfig(this.configPath, config);
  }

  #clientOver(fetch: typeof globalThis.fetch): MarketplaceClient {
    const { apiKey } = this.settings;
    // A header cannot hold such a key: it would look as if nobody answered.
    if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new CliFailure('key', 'The API key has a character that no key has, and is not sent.', {
        hint: 'Look for a line break, a space or a letter beyond ASCII in AGENT_MARKET_KEY, or in the config file.',
      });
    }
    const { sleep } = this.terminal;
    return createMarketplaceClient({
      baseUrl: this.url,
      fetch,
      sleep,
      ...(apiKey === null ? {} : { apiKey }),
    });
  }

  #prompts() {
    const { stdin, stderr, interrupt } = this.terminal;
    return { input: stdin, output: stderr, signal: interrupt };
  }

  async #answerOf<T>(prompt: Promise<T | symbol>): Promise<T> {
    const answer = await prompt;
    if (typeof answer === 'symbol') throw new CliFailure('interrupted', 'Stopped. Nothing was sent.');
    return answer;
  }

  #write(text: string): void {
    this.terminal.stdout.write(`${text}\n`);
  }
}

function coloursFor({ env }: Terminal, stream: { readonly isTTY?: boolean }): Colours {
  return pc.createColors(stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb');
}
