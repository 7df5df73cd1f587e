import { readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

// Node runs these tests' TypeScript by itself, which takes less than Vite's transformed modules. What it does not do
// is JSX, and files as text.

// What one process has compiled, the next ones need not.
enableCompileCache();

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
  resolve(specifier, context, next) {
    // Node would look through the folders above for a package.json, for each file anew.
    const isOurs = specifier.startsWith('.') && specifier.endsWith('.ts');
    if (!isOurs || context.parentURL === undefined) return next(specifier, context);
    const url = new URL(specifier, context.parentURL).href;
    return { url, format: 'module-typescript', shortCircuit: true };
  },
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
