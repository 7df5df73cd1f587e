import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { clause } from '../conformance/clause.ts';

// The protocol's own conformance suite, against the running server.

const require = createRequire(import.meta.url);
const CLI = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js');

/** Scenarios that ask for nothing but the protocol. */
const PASSED = [
  'completion-complete',
  'dns-rebinding-protection',
  'logging-set-level',
  'ping',
  'prompts-list',
  'resources-list',
  'server-initialize',
  'tools-list',
];

/** Scenarios that check nothing in a server without sessions. */
const WITHOUT_SESSIONS = ['server-sse-multiple-streams', 'server-sse-polling'];

/** Scenarios about tools, prompts and resources that a server has only for this suite, by what they need. */
const NEEDS_FIXTURE: Readonly<Record<string, string>> = {
  'elicitation-sep1034-defaults': 'tool test_elicitation_sep1034_defaults',
  'elicitation-sep1330-enums': 'tool test_elicitation_sep1330_enums',
  'json-schema-2020-12': 'tool json_schema_2020_12_tool',
  'prompts-get-embedded-resource': 'prompt test_prompt_with_embedded_resource',
  'prompts-get-simple': 'prompt test_simple_prompt',
  'prompts-get-with-args': 'prompt test_prompt_with_arguments',
  'prompts-get-with-image': 'prompt test_prompt_with_image',
  'resources-read-binary': 'resource test://static-binary',
  'resources-read-text': 'resource test://static-text',
  'resources-subscribe': 'resource test://watched-resource; and nothing is pushed here',
  'resources-templates-read': 'resource template test://template/{id}/data',
  'resources-unsubscribe': 'resource test://watched-resource; and nothing is pushed here',
  'tools-call-audio': 'tool test_audio_content',
  'tools-call-elicitation': 'tool test_elicitation',
  'tools-call-embedded-resource': 'tool test_embedded_resource',
  'tools-call-error': 'tool test_error_handling',
  'tools-call-image': 'tool test_image_content',
  'tools-call-mixed-content': 'tool test_multiple_content_types',
  'tools-call-sampling': 'tool test_sampling',
  'tools-call-simple-text': 'tool test_simple_text',
  'tools-call-with-logging': 'tool test_tool_with_logging',
  'tools-call-with-progress': 'tool test_tool_with_progress',
};

const baseUrl = inject('sharedBaseUrl');

async function run(args: readonly string[]): Promise<string> {
  // It exits with 1 where any scenario fails; what it printed says which.
  const done = await promisify(execFile)(process.execPath, [CLI, ...args]).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return done.stdout + done.stderr;
}

clause('mcp.json-rpc');
it('passes every scenario that needs no fixture', async () => {
  const printed = await run(['server', '--url', `${baseUrl}/mcp`, '--suite', 'all']);
  const lines = [...printed.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)];
  const results = lines.map(([, name = '', passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
  }));
  const named = (which: (result: { passed: number; failed: number }) => boolean) =>
    results
      .filter(which)
      .map(({ name }) => name)
      .sort();

  expect(
    named(({ passed, failed }) => passed > 0 && failed === 0),
    printed,
  ).toEqual(PASSED);
  expect(named(({ passed, failed }) => passed === 0 && failed === 0)).toEqual(WITHOUT_SESSIONS);
  expect(named(({ failed }) => failed > 0)).toEqual(Object.keys(NEEDS_FIXTURE));
});

it('has no scenario that is left out without a reason', async () => {
  const printed = await run(['list']);
  const ofServers = printed.slice(0, printed.indexOf('Client scenarios'));
  const names = [...ofServers.matchAll(/^\s+- ([\w-]+)/gm)].map(([, name]) => name).sort();
  expect(names).toEqual([...PASSED, ...WITHOUT_SESSIONS, ...Object.keys(NEEDS_FIXTURE)].sort());
});
