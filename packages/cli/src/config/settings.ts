import { CliFailure } from '../frame/cli-failure.ts';
import type { Config } from './config-file.ts';

/** What a command works with: options before the environment, the environment before the config file. */
export interface Settings {
  readonly profileName: string;
  /** The API root; null: none is set. */
  readonly url: string | null;
  readonly apiKey: string | null;
  readonly payerKey: string | null;
}

export interface Overrides {
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
}

export function resolveSettings(
  config: Config,
  overrides: Overrides,
  env: Readonly<Record<string, string | undefined>>,
): Settings {
  const profileName = overrides.profile || env.AGENT_MARKET_PROFILE || config.profile;
  const profile = config.profiles[profileName];
  const other = overrides.url || env.AGENT_MARKET_URL;
  const url = other ? apiRoot(other) : profile ? apiRoot(profile.url) : null;
  // A key is a secret between an agent and its own marketplace: another address is not sent it.
  const isSame = profile !== undefined && url === apiRoot(profile.url);
  return {
    profileName,
    url,
    apiKey: env.AGENT_MARKET_KEY || (isSame && profile.apiKey) || null,
    payerKey: env.AGENT_MARKET_PAYER_KEY || (isSame && profile.payerKey) || null,
  };
}

/** `https://market.example` is `https://market.example/api`. */
export function apiRoot(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new CliFailure('usage', `"${text}" is not a URL. It looks like https://market.example/api.`);
  }
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    throw new CliFailure('usage', `${text} is not https: your API key would be readable on its way.`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/api' : path}`;
}
