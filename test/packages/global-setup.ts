import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PackedPackage, packPackage } from '@agent-marketplace/devkit/release/pack-package.ts';
import { PUBLISHED } from '@agent-marketplace/devkit/release/published-packages.ts';
import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import type { TestProject } from 'vitest/node';
import { startStubMarketplace } from '../../packages/sdk/src/testing/stub-marketplace.ts';
import { findChromium } from '../site/chromium.ts';
import { installAlone } from './install.ts';
import { stubReplies } from './stub-replies.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The SDK as it would be published. */
    readonly sdk: PackedPackage;
    /** Where it is installed, beside the programs that use it. */
    readonly installed: string;
    /** The command line program as it would be published, and where it is installed. */
    readonly cli: PackedPackage;
    readonly installedCli: string;
    /** Of a marketplace that answers what those ask. */
    readonly stubBaseUrl: string;
    /** Null: no browser on this machine. */
    readonly chromiumPath: string | null;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'packages-'));
  const sdk = await packPackage(PUBLISHED.sdk, folder);
  const cli = await packPackage(PUBLISHED.cli, folder);
  const installed = join(folder, 'installed');
  await installAlone(sdk.tarball, Object.keys(sdk.manifest.dependencies ?? {}), installed);
  const installedCli = join(folder, 'installed-cli');
  await installAlone(cli.tarball, [], installedCli);
  const party = await createSigningParty();
  const stub = await startStubMarketplace(party);
  stub.answers(await stubReplies(party));
  project.provide('sdk', sdk);
  project.provide('installed', installed);
  project.provide('cli', cli);
  project.provide('installedCli', installedCli);
  project.provide('stubBaseUrl', stub.baseUrl);
  project.provide('chromiumPath', findChromium());
  return async () => {
    await stub.close();
    await rm(folder, { recursive: true });
  };
}
