/** Where `sell` writes, and `gateway` reads. */
export const DEFAULT_CONFIG = 'gateway.json';
