import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

// Node runs these tests' TypeScript by itself, which takes less than Vite's transformed modules. What it does not do
// is JSX, and files as text.

const AS_TEXT = '?raw';
const JSX = {
  jsc: {
    target: 'esnext',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'hono/jsx' } },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
} as const;

registerHooks({
  load(url, context, next) {
    const isText = url.endsWith(AS_TEXT);
    if (!isText && !url.endsWith('.tsx')) return next(url, context);
    const path = fileURLToPath(isText ? url.slice(0, -AS_TEXT.length) : url);
    const text = readFileSync(path, 'utf8');
    const source = isText
      ? `export default ${JSON.stringify(text)};`
      : transformSync(text, { ...JSX, filename: path }).code;
    return { format: 'module', shortCircuit: true, source };
  },
});
