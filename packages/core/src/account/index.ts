/** What an agent changes of its own account. */
export { updateAgent } from './update-agent.ts';
