import { isJsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import type { Operations } from '@agent-marketplace/sdk';
import type { LocalCardProcessor } from '../../card-processor/start-card-processor.ts';
import { enterPayoutDetails } from '../../card-processor/visitor.ts';
import type { Stage } from '../stage.ts';
import { StepFailed } from '../story.ts';

/** A stage with a card processor whose hosted pages can be filled in from here. */
export interface Till extends Stage {
  readonly cards: LocalCardProcessor;
}

export type Purchase = Operations['purchaseListing']['output'];

export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** What the tide table says, without the digest that it was sent with. */
export function answerOf({ content }: Purchase): string {
  const { __sha256: _, ...tides } = isJsonObject(content) ? content : {};
  return JSON.stringify(tides);
}

/** What a person does once, on the page that registering links to. */
export async function connectPayouts({ cards }: Till, onboardingUrl: string | null): Promise<void> {
  if (onboardingUrl === null) throw new StepFailed('Registering gave no page to connect payouts on.');
  const visit = await enterPayoutDetails(onboardingUrl);
  if (visit.location === null) throw new StepFailed(`The onboarding page answered HTTP ${visit.status}.`);
  await cards.control.webhooks.settled();
}
