export { type FormerLog, type LogPorts, newSinceStart, type SinceStart } from './log-ports.ts';
export { proveInclusion } from './prove-inclusion.ts';
export { prunePartialTiles } from './prune-partial-tiles.ts';
export { sequenceStatements } from './sequence-statements.ts';
