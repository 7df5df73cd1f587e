import { globSync } from 'node:fs';
import { join } from 'node:path';
import {
  TEST_DOOR_VARIABLES,
  TEST_OTHER_SIGNING_KEY,
  TEST_VARIABLES,
} from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { vi } from 'vitest';
import { createTestHarness } from 'wrangler';

const REPOSITORY = join(import.meta.dirname, '../..');
const { SELLER_ENDPOINTS, RATE_LIMITS, DAILY_LIMITS, ...apiSecrets } = TEST_VARIABLES;
const secrets = {
  ...apiSecrets,
  INGRESS_SIGNING_KEY: TEST_DOOR_VARIABLES.INGRESS_SIGNING_KEY,
  LOG_SIGNING_KEY: TEST_OTHER_SIGNING_KEY,
};

const rotatedSecrets = { ...secrets, SIGNING_KEY: TEST_OTHER_SIGNING_KEY };

/** Every Worker, as its wrangler.toml has it; the first one answers on the port. */
const WORKERS = ['wrangler.toml', ...globSync('workers/*/wrangler.toml', { cwd: REPOSITORY })];

export interface LiveMarketplace {
  /** The API root, without a trailing slash. */
  baseUrl(): string;
  /** What the clock starts every minute. */
  runScheduled(): Promise<void>;
  /** Deploys again with another signing key, over the same data. */
  rotateKey(): Promise<void>;
  /** Deploys the door with a configuration that it cannot start with, until it is mended. */
  breakDoor(): Promise<void>;
  mendDoor(also?: { readonly rotateKey: boolean }): Promise<void>;
  close(): Promise<void>;
}

/** All Workers together, over HTTP, in the runtime and with the bindings that they are deployed with. */
export async function startMarketplace(): Promise<LiveMarketplace> {
  const harness = createTestHarness(optionsWith({ secrets }));
  const baseUrlOf = async () => `${(await harness.listen()).url.origin}/api`;
  let baseUrl = await baseUrlOf();
  await harness.getWorker().applyD1Migrations('DB');
  await harness.getWorker().applyD1Migrations('SEARCH');
  const runScheduled = async () => {
    for (const name of ['marketplace-jobs', 'marketplace-log']) {
      const { outcome } = await harness.getWorker(name).scheduled({ cron: '* * * * *' });
      if (outcome !== 'ok') throw new Error(`The scheduled run of ${name} ended with ${outcome}.`);
    }
  };
  await runScheduled();
  let current: Deployed = { secrets };
  const deploy = async (changed: Deployed) => {
    current = changed;
    await harness.update(optionsWith(changed));
    baseUrl = await baseUrlOf();
  };
  const signingKey = async () =>
    (await (await fetch(`${baseUrl}/signing-key`)).json()) as {
      keyId: string;
      keys: { keyId: string; status: string }[];
    };
  /** For a moment after a deployment the door answers as before, or the API in its place. */
  const untilDoorIs = (expected: 'open' | 'unavailable') =>
    vi.waitFor(async () => {
      const { status } = (await (await fetch(`${baseUrl}/ingress`)).json()) as { status: string };
      if (status !== expected) throw new Error(`The door is ${status}.`);
    }, 30_000);
  return {
    baseUrl: () => baseUrl,
    runScheduled,
    async rotateKey() {
      const before = await signingKey();
      await deploy({ ...current, secrets: rotatedSecrets });
      // An update ends with the first Worker's reload: the API may sign, or the jobs publish, with the old key.
      await vi.waitFor(async () => {
        await runScheduled();
        const { keyId, keys } = await signingKey();
        const active = keys.find(({ status }) => status === 'active')?.keyId;
        if (keyId === before.keyId || active !== keyId)
          throw new Error(`${keyId} signs, ${active} is active.`);
      }, 30_000);
    },
    async breakDoor() {
      await deploy({ ...current, ofDoor: { INGRESS_SHARDS: 'none' } });
      await untilDoorIs('unavailable');
    },
    async mendDoor(also = { rotateKey: false }) {
      await deploy({ secrets: also.rotateKey ? rotatedSecrets : current.secrets });
      await untilDoorIs('open');
    },
    close: () => harness.close(),
  };
}

interface Deployed {
  readonly secrets: Record<string, string>;
  /** Variables that the door alone has. */
  readonly ofDoor?: Record<string, string>;
}

function optionsWith({ secrets, ofDoor = {} }: Deployed) {
  return {
    root: REPOSITORY,
    workers: WORKERS.map((configPath) =>
      // These have to do without.
      /relay|uploads/.test(configPath)
        ? { configPath }
        : {
            configPath,
            vars: {
              SELLER_ENDPOINTS,
              RATE_LIMITS,
              DAILY_LIMITS,
              ...(configPath.includes('ingress') ? ofDoor : {}),
            },
            secrets,
          },
    ),
  };
}
