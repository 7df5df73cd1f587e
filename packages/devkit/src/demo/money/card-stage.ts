import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Operations } from '@agent-marketplace/sdk';
import type { LocalCardProcessor } from '../../card-processor/start-card-processor.ts';
import { enterPayoutDetails } from '../../card-processor/visitor.ts';
import type { Stage } from '../stage.ts';
import { StepFailed } from '../story.ts';

/** A stage with the local card processor, whose hosted pages the demo can fill in. */
export interface CardStage extends Stage {
  readonly cards: LocalCardProcessor;
}

export type Purchase = Operations['purchaseListing']['output'];

export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** The tide table without its digest. */
export function answerOf({ content }: Purchase): string {
  const { __sha256: _, ...tides } = isJsonObject(content) ? content : {};
  return JSON.stringify(tides);
}

/** Does what a person does on the onboarding page. */
export async function connectPayouts({ cards }: CardStage, onboardingUrl: string | null): Promise<void> {
  if (onboardingUrl === null)
    throw new StepFailed('The registration returned no page to connect payouts on.');
  const visit = await enterPayoutDetails(onboardingUrl);
  if (visit.location === null) throw new StepFailed(`The onboarding page answered HTTP ${visit.status}.`);
  await cards.control.webhooks.settled();
}
