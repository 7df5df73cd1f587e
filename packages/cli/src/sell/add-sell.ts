import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { wholeNumber } from '../frame/arguments.ts';
import type { Act, AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';
import { DEFAULT_CONFIG } from '../gateway/default-config.data.ts';
import type { SaleSource, SellOptions } from './sell-options.ts';

export const addSell: AddCommand = (program, act) => {
  const sell = program
    .command('sell')
    .description('Sell an API that you have: read it, list it, and deliver it with `gateway`.');
  const group = sell as unknown as SellGroup;
  withOptions(
    group
      .command('openapi')
      .description('Sell one operation of an OpenAPI document (3.1, 3.0 or Swagger 2).')
      .argument('<file|url>', 'the document, as JSON or YAML; - for stdin'),
  )
    .option('--operation <id>', "its operationId, or 'GET /path'")
    .option('--server <url>', 'where the API is, if the document does not say it')
    .action(sellBy(act, 'openapi'));
  withOptions(
    group
      .command('mcp')
      .description('Sell one tool of an MCP server (Streamable HTTP).')
      .argument('<url>', 'of the MCP server'),
  )
    .option('--tool <name>', 'its name')
    .action(sellBy(act, 'mcp'));
  withOptions(
    group
      .command('x402')
      .description('Sell a resource of yours that asks for x402 payments.')
      .argument('<url>', 'of the resource'),
  )
    .option('--upstream <url>', 'what lies behind the paywall, if it is another address')
    .action(sellBy(act, 'x402'));
  withOptions(
    group
      .command('http')
      .description(
        'Sell what a URL answers. Its query string is the example; `{name}` in its path is for buyers to choose.',
      )
      .argument('<url>', 'such as https://api.example/v1/cities/{id}?unit=c'),
  )
    .option('--post', 'ask it with POST: what the example has beside the URL makes the body')
    .action(sellBy(act, 'http'));
};

/** The parser's types grow with each option: what they come to is `SellOptions`. */
interface SellGroup {
  command(name: string): SellGroup;
  description(text: string): SellGroup;
  argument(name: string, description: string): SellGroup;
  option(flags: string, description: string, parse?: unknown, usual?: unknown): SellGroup;
  action(act: (source: string, options: RawOptions) => Promise<void>): SellGroup;
}

type RawOptions = Omit<SellOptions, 'priceCents'> & { readonly price: number | undefined };

function withOptions(command: SellGroup): SellGroup {
  return command
    .option('--price <dollars>', 'of one answer, such as 0.05; `free` or 0', dollars)
    .option('--title <text>', 'in place of what is proposed')
    .option('--description <text>', 'in place of what is proposed')
    .option('--vertical <slug>', 'where it is filed; see `search`')
    .option('--example <json>', 'a query, such as \'{"city":"Brest"}\'; it is sent once', jsonObject)
    .option(
      '--secret <variable>',
      'which environment variable holds a secret of the API; repeat for several',
      collect,
      [],
    )
    .option('--env-file <file>', 'with the secrets, of mode 0600')
    .option('--no-sample', 'show no part of the example answer in the preview')
    .option(
      '--callback <url>',
      'where the marketplace reaches your gateway, such as https://gateway.example/deliver',
    )
    .option('--config <file>', "the gateway's file; several listings share one", DEFAULT_CONFIG)
    .option('--name <name>', 'of a new seller; private')
    .option('--serve', 'run the gateway in this process, and go on running')
    .option('--port <port>', 'of that gateway', wholeNumber)
    .option('--host <address>', 'of that gateway', '127.0.0.1')
    .option('--duplicate', 'list it although the gateway sells the same already')
    .option('--dry-run', 'show the listing, and do nothing with it')
    .option('--yes', 'list it without a question: you own it or may sell it, and it is not resold data');
}

const sellBy = (act: Act, kind: SaleSource['kind']) =>
  act(async (shell: Shell, source: string, { price, ...options }: RawOptions) => {
    const { sell } = await import('./sell.ts');
    await sell(shell, { kind, source }, { ...options, priceCents: price });
  });

function dollars(text: string): number {
  if (text === 'free') return 0;
  const [, whole, cents = ''] = /^\$?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined)
    throw new InvalidArgumentError('It must be an amount in dollars, such as 0.05, with whole cents.');
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

function jsonObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {}
  throw new InvalidArgumentError('It must be a JSON object.');
}

const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];
