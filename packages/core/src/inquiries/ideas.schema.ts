import * as z from 'zod';

export const ideaView = z
  .object({
    category: z.string().nullable(),
    createdAt: z.iso.datetime(),
    description: z.string(),
    id: z.uuid(),
    impact: z.string().nullable(),
    submittedBy: z.string().nullable(),
    title: z.string(),
  })
  .meta({ id: 'Idea' });
