export { type PublicAgent, sellerNameOf } from './agent.ts';
export { agentErrors } from './agents.errors.ts';
export { connect, registrationFields, requireCallableUrl } from './agents.schema.ts';
export { findByKeyHash, insertAgent, insertSeller } from './agents.store.ts';
export { getAgent } from './get-agent.ts';
export { getOwnAgent } from './get-own-agent.ts';
export { listAgents } from './list-agents.ts';
export { registerAgent } from './register-agent.ts';
export { connectOf, newAgent, pseudonyms, type Registration } from './registration.ts';
