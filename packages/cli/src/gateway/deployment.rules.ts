import type { GatewayConfig } from './gateway-config.ts';

/** Every variable that holds a secret of some listing. */
function secretNames({ listings }: Pick<GatewayConfig, 'listings'>): readonly string[] {
  return [
    ...new Set(Object.values(listings).flatMap(({ upstream }) => upstream.credentials.map(({ env }) => env))),
  ].toSorted();
}

export const workerEntry = (bundle: string): string => `import config from './gateway.json';
import { createGatewayWorker } from './${bundle}';

export { PurchaseAnswer } from './${bundle}';
export default createGatewayWorker(config);
`;

export function wranglerFile(config: GatewayConfig): string {
  const names = secretNames(config);
  const secrets =
    names.length === 0
      ? '# It needs no secrets.'
      : `# Set each of its secrets once:\n${names.map((name) => `#   npx wrangler secret put ${name}`).join('\n')}`;
  return `# The delivery endpoint of what you sell. Put it up with: npx wrangler deploy
name = "agent-market-gateway"
main = "index.js"
compatibility_date = "2026-01-01"
compatibility_flags = ["nodejs_compat", "global_fetch_strictly_public"]

[observability]
enabled = true

# Keeps each purchase's answer: a buyer who asks again gets the same one, and your API is not asked twice.
[[durable_objects.bindings]]
name = "ANSWERS"
class_name = "PurchaseAnswer"

[[migrations]]
tag = "v1"
new_sqlite_classes = ["PurchaseAnswer"]

${secrets}
`;
}

/** What the container listens on, unless PORT says otherwise. */
const PORT = 8080;

export const containerFile = (program: string, chunks: string): string => `FROM node:24-slim
WORKDIR /gateway
COPY --chown=node:node ${program} gateway.json ./
COPY --chown=node:node ${chunks} ./${chunks}/
RUN mkdir answers && chown node:node answers
VOLUME /gateway/answers
USER node
ENV NODE_ENV=production PORT=${PORT}
EXPOSE ${PORT}
HEALTHCHECK --interval=30s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT).then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Secrets come from outside: docker run -e NAME, or --env-file.
ENTRYPOINT ["node", "${program}", "gateway", "--config", "gateway.json", "--answers", "answers", "--host", "0.0.0.0"]
`;
