// Loaded only to pay in USDC. By name: of the whole module, the bundle would have word lists in eight languages.
export { privateKeyToAccount } from 'viem/accounts';
