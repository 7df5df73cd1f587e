/** For sellers on Node, Bun and Deno: what needs a file system. */
export { type FileAnswersOptions, fileAnswers } from './file-answers.ts';
