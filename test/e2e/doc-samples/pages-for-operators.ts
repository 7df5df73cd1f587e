import { expect } from 'vitest';
import type { PreparePage } from './page-under-test.ts';

const ADMIN =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell puts it in.
  'admin() { curl -s "$BASE/admin/$1" -H "X-MKT-Admin: $ADMIN_SECRET" -H "content-type: application/json" "${@:2}"; }';

export const PAGES_FOR_OPERATORS: Readonly<Record<string, PreparePage>> = {
  'docs/operate.md': async (world) => {
    const { agent } = await world.anyone
      .registerAgent({ name: 'Purchasing bot' })
      .then((agent) => ({ agent }));
    const seller = await world.newSeller();
    const ofHealth = { title: 'A viewer of medical records', notPersonalHealth: true, priceCents: 0 };
    return {
      variables: { AGENT_ID: agent.id, PURCHASE_ID: agent.id },
      before: [
        [
          /ADMIN_SECRET=/,
          `mkdir .state; echo '{"ADMIN_SECRET":"${world.adminSecret}"}' > .state/secrets.json`,
        ],
        [
          /operators\/\$ID\/secret/,
          `ROOT=$ADMIN_SECRET; admin operators -d '{"name": "Bea", "role": "admin", "reason": "Runs it too."}' > bea.json
ID=$(jq -r .id bea.json) ADMIN_SECRET=$(jq -r .secret bea.json)`,
        ],
        [/operators\/\$ID -X PATCH/, 'ADMIN_SECRET=$ROOT'],
        [
          /smoke-tests/,
          `AGENT_ID=$(curl -s $BASE/agents/register -H "X-MKT-Admin: $ADMIN_SECRET" -H 'content-type: application/json' \\
  -d '{"name":"first","smokeTest":true}' | jq -r .id)`,
        ],
        [
          /health-declarations\/\$ID/,
          async () => {
            await world.list(seller, ofHealth);
            return "ID=$(admin health-declarations | jq -r '.declarations[0].id')";
          },
        ],
        [
          /inquiries\/\$ID/,
          `ID=$(curl -s $BASE/inquiries -H 'content-type: application/json' -d '{
  "subject": "A payout is late", "message": "It was due on Monday.", "name": "Ada", "email": "ada@example.com",
  "category": "payouts"}' | jq -r .id)`,
        ],
      ],
      prints: [/"role": "admin"/, /house_buyer/, /^true$/m],
    };
  },

  'docs/moderation.md': async (world) => {
    const seller = await world.newSeller();
    const listing = await world.list(seller, { title: 'Passports', priceCents: 0 });
    const { id } = await seller.client.getOwnAgent();
    const buyer = await world.newBuyer();
    const reported = await world.newSeller();
    return {
      variables: { ADMIN_SECRET: world.adminSecret, ID: listing },
      before: [
        [/suspension/, `ID=${id}`],
        [
          /admin reports \|/,
          async () => {
            const subjectId = await world.list(reported, { title: 'Gold from lead', priceCents: 0 });
            await buyer.client.createReport({ subjectType: 'listing', subjectId, reason: 'deception' });
            return `${ADMIN}\nID=$(admin reports | jq -r '.cases[] | select(.subjectId == "${subjectId}").id')`;
          },
        ],
        [
          /state=appealed/,
          async (terminal) => {
            const decisionId = await terminal.valueOf('ID');
            await reported.client.createAppeal({ decisionId, text: 'It is what it says.' });
            return ':';
          },
        ],
      ],
      prints: [/"blocked":true/, /"suspended":true/, /"appealText": "It is what it says\."/, /overturned/],
    };
  },

  // What is overdue cannot be had in a moment: each command is refused, but only because there is nothing with that id.
  'docs/overdue.md': async (world) => ({
    variables: { ADMIN_SECRET: world.adminSecret, ID: crypto.randomUUID() },
    refusals: /^HTTP 404 .*\/admin\//,
    prints: [],
    async check({ output }) {
      const refused = output.match(/^HTTP 404 /gm) ?? [];
      expect(refused.length).toBeGreaterThan(25);
      expect(output.match(/"code":"[a-z_]+_not_found"/g)).toHaveLength(refused.length);
    },
  }),
};
