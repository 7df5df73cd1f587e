import type { NoteSigner } from '@agent-marketplace/protocol/log/note.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { LogFiles, LogTree, Witness } from '../kernel/ports/transparency/transparency-log.ts';

/** What the log needs from outside. */
export interface LogPorts extends Pick<Ports, 'market' | 'clock' | 'log'> {
  readonly tree: LogTree;
  readonly files: LogFiles;
  /** Its key's name is the origin of the log. */
  readonly signer: NoteSigner;
  readonly witnesses: readonly Witness[];
}
