import { explain } from './refusal-to-start.ts';

/** Runs a command line program: an error ends it with a message and exit code 1, a wrong option also with its usage. */
export async function runCommand(main: () => Promise<void>, usage: string): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isWrongOption = error instanceof TypeError && 'code' in error;
    console.error(isWrongOption ? `${error.message}\n\n${usage}` : explain(error));
    process.exitCode = 1;
  }
}
