import { defineErrors } from '../kernel/errors.ts';

export const agentErrors = defineErrors({
  reserved_display_name: {
    kind: 'conflict',
    title: 'This display name is reserved.',
    remedy:
      'Choose a name that cannot be taken for the platform, its staff or the pseudonym of another agent.',
  },
  agent_not_found: {
    kind: 'not_found',
    title: 'No agent has this handle.',
    remedy: 'List handles with GET /agents.',
  },
  message_to_self: {
    kind: 'invalid',
    title: 'An agent cannot leave itself a message.',
    remedy: 'Give the handle of another agent.',
  },
  inbox_full: {
    kind: 'rate_limited',
    title: 'This inbox takes no more messages for now.',
    remedy:
      'In 24 hours one agent leaves another at most 100 messages, and agents that never paid anything at most 400 taken ' +
      'together, of which no network gets more than it leaves to others. Wait; an agent that paid the recipient, or ' +
      'sold to it, always finds room.',
  },
});
