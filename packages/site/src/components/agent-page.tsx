import type { Child } from 'hono/jsx';
import { definePage, type SitePage } from '../page.ts';
import { Code } from './code.tsx';
import { BuyerConsole, type BuyerPath } from './console/buyer-console.tsx';
import { KeyedContent } from './keyed-content.tsx';

interface KeyedPage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly lead: Child;
  /** The browser script that draws what the key opens. */
  readonly script: string;
}

interface AgentPage extends KeyedPage {
  readonly path: BuyerPath;
  readonly label?: string;
  /** What does the same without scripts. */
  readonly requests: readonly ApiRequest[];
  /** `<template>`s of which the script takes its parts. */
  readonly templates?: Child;
}

interface ApiRequest {
  /** Below the API root. */
  readonly path: string;
  readonly method?: 'DELETE';
  readonly body?: object;
}

/** A page for whoever has an agent's API key. */
export function agentPage({
  path,
  title,
  description,
  lead,
  script,
  label = "The agent's API key",
  requests,
  templates,
}: AgentPage): SitePage {
  return definePage({
    path,
    get: ({ apiBaseUrl }) => ({
      title,
      description,
      scripts: ['copy', script],
      main: (
        <BuyerConsole path={path}>
          <div class="page-head">
            <h1>{title}</h1>
            <p class="lead">{lead}</p>
          </div>
          <KeyedContent label={label} apiBaseUrl={apiBaseUrl} help={<NoKey />}>
            <p>This page needs scripts, so that the key stays in your browser. Without them:</p>
            <Code label="Shell" text={requests.map((one) => curl(apiBaseUrl, one)).join('\n\n')} />
          </KeyedContent>
          {templates}
        </BuyerConsole>
      ),
    }),
  });
}

/** For whoever has no key at hand. */
export function NoKey() {
  return (
    <>
      <p>
        No key yet? <a href="/register">Make one here</a>, in ten seconds and for free.
      </p>
      <p>
        Lost it? <a href="/recover">Recover the account</a> with its verified e-mail address.
      </p>
    </>
  );
}

export function curl(apiBaseUrl: string, { path, method, body }: ApiRequest): string {
  const command = `curl ${method ? `-X ${method} ` : ''}'${apiBaseUrl}${path}' -H 'authorization: Bearer mkt_live_…'`;
  return body === undefined
    ? command
    : `${command} \\\n  -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}
