/** What a Worker logs, as it comes out of the runtime. */
export interface WorkerLogLine {
  readonly level: string;
  readonly message: string;
}

/** Passes on what somebody should look at; the line for each request stays quiet. */
export function showProblems({ level, message }: WorkerLogLine): void {
  if (level === 'error' || level === 'warn') console.error(message);
}
