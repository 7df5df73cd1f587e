import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { lineOf, linesOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { ideaView } from './ideas.schema.ts';
import { insertIdea } from './ideas.store.ts';

/** MCP submit_idea. */
export const submitIdea = defineOperation({
  name: 'submitIdea',
  summary: 'Tell the people who run the marketplace what would make it better.',
  area: 'Inquiries',
  auth: 'none',
  input: z.object({
    title: lineOf(200).describe('The idea in one line.'),
    description: linesOf(10_000).describe('What is missing, or could be better.'),
    category: lineOf(64).optional().describe('In your own words.'),
    submittedBy: lineOf(200).optional().describe('Who has the idea.'),
    impact: linesOf(2000).optional().describe('What it would change, and for whom.'),
  }),
  output: ideaView,
  errors: [],
  http: { method: 'post', path: '/ideas', status: 201 },
  mcp: {
    tool: 'submit_idea',
    title: 'Submit an idea',
    description:
      'Tell the people who run the marketplace what is missing or could be simpler. Free, no key. It is read, and ' +
      'not answered: for an answer use contact_marketplace.',
    names: { submittedBy: 'submittedBy' },
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  rate: 'inquiry',
  replay: 'stored',
  async handle({ ports, now, commit }, { title, description, category, submittedBy, impact }) {
    const idea = {
      category: category ?? null,
      createdAt: isoTime(now),
      description,
      id: ports.ids.uuid(),
      impact: impact ?? null,
      submittedBy: submittedBy ?? null,
      title,
    };
    await commit([insertIdea(idea)], idea);
    return idea;
  },
});
