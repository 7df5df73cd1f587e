import type { LogPolicy } from '@agent-marketplace/sdk';

/** Where a marketplace serves the log that a policy believes: of several, the one that it names last. */
export function logUrlOf(apiUrl: string, { logs }: LogPolicy): string {
  const [path = '/log'] = /\/log(\/\d+)?$/.exec(logs.at(-1)?.key.name ?? '') ?? [];
  return `${apiUrl}${path}`;
}
