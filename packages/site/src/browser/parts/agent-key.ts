/** Where a tab keeps the key: the wallet and the seller console open with the same one. */
export const AGENT_KEY = 'agent-key';
