import manifest from '../../package.json' with { type: 'json' };
import type { AddCommand } from '../frame/command.ts';
import { initSeller } from '../init/init-seller.ts';
import { SELLER_TEMPLATES } from '../init/seller-templates.data.ts';

/** What `pnpm dev` of the marketplace's repository serves. */
const LOCAL_MARKETPLACE = 'http://localhost:8787/api';

export const addInit: AddCommand = (program, act) => {
  const init = program.command('init').description('Make a project.');
  init
    .command('seller')
    .description('A project that sells, tests itself and can be put up for sale.')
    .argument('<folder>', 'new or empty; its last part names the project')
    .requiredOption('--template <name>', `one of: ${Object.keys(SELLER_TEMPLATES).join(', ')}`)
    .option('--sdk <version>', 'the SDK that it asks for, or the path of a tarball', manifest.version)
    .action(
      act(async (shell, folder, { template, sdk }) => {
        const marketplaceUrl = shell.settings.url ?? LOCAL_MARKETPLACE;
        const project = await initSeller({ folder, template, sdk, marketplaceUrl });
        const steps = [`cd ${folder}`, ...project.commands].map((command) => `  ${command}`);
        shell.print(
          { ...project, template, marketplaceUrl },
          `Made ${project.name} in ${project.folder}; it sells at ${marketplaceUrl}. Next:\n${steps.join('\n')}`,
        );
      }),
    );
};
