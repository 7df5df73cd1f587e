import type { LogPolicy } from '@agent-marketplace/sdk';

const PATH = /\/log(\/\d+)?$/;

const pathIn = (origin: string): string => PATH.exec(origin)?.[0] ?? '/log';

/** Where a marketplace serves the log that a policy believes: of several, the one that it names last. */
export function logUrlOf(apiUrl: string, { logs }: LogPolicy): string {
  return `${apiUrl}${pathIn(logs.at(-1)?.key.name ?? '')}`;
}

/** Where another log of the same marketplace is, by the name of that log. */
export function logUrlBeside(url: string, origin: string): string {
  return `${url.replace(PATH, '')}${pathIn(origin)}`;
}
