export type { LogPorts } from './log-ports.ts';
export { proveInclusion } from './prove-inclusion.ts';
export { sequenceStatements } from './sequence-statements.ts';
