/**
 * What samples take as the reader's own; the pages say so. Declarations as text: as a file they would be known to all
 * of the repository's code.
 */
export const READERS_OWN = `
declare const baseUrl: string;
declare const apiKey: string;
declare const listingId: string;
declare const orderId: string;
declare const privateKey: \`0x\${string}\`;
declare const account: import('viem/accounts').PrivateKeyAccount;
declare const lookUp: (listingId: string, query: unknown) => Promise<Record<string, string>[] | undefined>;
declare const deliver: import('@agent-marketplace/sdk/seller').Deliver;
`;
