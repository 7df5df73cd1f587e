import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import solc from 'solc';

const SOURCES = ['Usdc.sol', 'Wallets.sol'];
const CONTRACTS = [
  ['Usdc.sol', 'Usdc'],
  ['Wallets.sol', 'WalletFactory'],
  ['Wallets.sol', 'Multicall'],
] as const;

type ContractName = (typeof CONTRACTS)[number][1];

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Record<
    string,
    Record<string, { readonly evm: { readonly deployedBytecode: { readonly object: string } } }>
  >;
}

/** Compiles the deployed code of the local chain's contracts. Takes some seconds. */
async function compileContracts(): Promise<Record<ContractName, string>> {
  const folder = join(import.meta.dirname, 'contracts');
  const sources = Object.fromEntries(
    await Promise.all(
      SOURCES.map(async (name) => [name, { content: await readFile(join(folder, name), 'utf8') }] as const),
    ),
  );
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      optimizer: { enabled: true, runs: 200 },
      // Makes the output independent of paths.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput;
  const problems = (output.errors ?? []).map(({ formattedMessage }) => formattedMessage);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return Object.fromEntries(
    CONTRACTS.map(([file, name]) => {
      const code = output.contracts[file]?.[name]?.evm.deployedBytecode.object;
      return [name, `0x${code}`];
    }),
  ) as Record<ContractName, string>;
}

/** The generated file with the compiled code: compiling at each start would take longer than the rest of it. */
export async function compileContractsFile(): Promise<readonly [path: string, text: string]> {
  const lines = Object.entries(await compileContracts()).map(
    ([name, code]) => `  ${name}:\n    '${code}',\n`,
  );
  return [
    'packages/devkit/src/chain/generated/contracts.ts',
    `// Compiled from ../contracts by \`pnpm generate\`.\nexport const CONTRACTS = {\n${lines.join('')}} as const;\n`,
  ];
}
