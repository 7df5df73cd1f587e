import type { Ports } from '../../kernel/ports/ports.ts';

export type EscrowPorts = Pick<
  Ports,
  'market' | 'search' | 'cards' | 'chain' | 'reserve' | 'ids' | 'clock' | 'log' | 'subsidies'
>;
