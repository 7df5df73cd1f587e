import { COMMAND_OF_OPERATION } from './command-of-operation.data.ts';

const OPERATION = /\b(GET|POST|PATCH|DELETE) (\/[\w/{}-]*)/g;

/** A text of the marketplace, with commands of this program in the place of its operations where there are any. */
export const nameCommands = (text: string): string =>
  text.replace(OPERATION, (operation) => {
    const command = COMMAND_OF_OPERATION[operation];
    return command === undefined ? operation : `\`agent-market ${command}\``;
  });
