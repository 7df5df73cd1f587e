import { concatHex, encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem';

type Hex = `0x${string}`;

export const WALLET_ABI = parseAbi([
  'function create(address owner) returns (address)',
  'function addressOf(address owner) view returns (address)',
]);

const MAGIC: Hex = `0x${'6492'.repeat(16)}`;

/** The signature of a smart wallet that is not deployed yet, with its deployment call (ERC-6492). */
export function wrapSignature(factory: Hex, owner: Hex, signature: Hex): Hex {
  const creation = encodeFunctionData({ abi: WALLET_ABI, functionName: 'create', args: [owner] });
  const parameters = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const;
  return concatHex([encodeAbiParameters(parameters, [factory, creation, signature]), MAGIC]);
}
