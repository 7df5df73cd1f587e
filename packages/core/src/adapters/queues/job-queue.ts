import type { JobMessage, JobQueue } from '../../kernel/ports.ts';

export function createJobQueue(queue: Queue<JobMessage>): JobQueue {
  return {
    async send(message) {
      await queue.send(message, { contentType: 'json' });
    },
  };
}
