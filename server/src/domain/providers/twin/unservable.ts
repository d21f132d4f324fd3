import type { Description } from "../description/definition.ts";
import type { Rule } from "../description/language/rules.ts";
import { allPlans, type Step } from "../description/run/plan.ts";
import { sampleFor } from "./answers.ts";
import type { Chosen } from "./behaviour.ts";

/** Why a description cannot be served; null when it can. */
export function unservable(definition: Description, { fault, answer }: Chosen): string | null {
  const plans = allPlans(definition).map(({ part, plan }) => ({ part, steps: plan.steps as readonly Step<Rule>[] }));
  const steps = plans.flatMap((plan) => plan.steps);
  if (steps.every((step) => Object.keys(step.samples).length === 0))
    return `The description of ${definition.name} has no samples, so there is nothing to answer with. Add samples to its operations (docs/proving-a-provider.md).`;
  const encrypted = steps.find(({ read }) => read.decrypt !== undefined && read.decrypt.at === undefined);
  if (encrypted !== undefined) return `The answers at ${encrypted.place} are encrypted as a whole, which the twin cannot do.`;
  if (definition.login !== undefined && Object.keys(definition.login.samples ?? {}).length === 0)
    return "The login has no sample. Add login.samples.success with {token} where the token is.";
  const sends = plans.flatMap((plan) => (plan.part === "send" ? plan.steps : []));
  const needed = fault === "out-of-money" ? "declined.float" : fault === "late-callback" ? "pending" : answer;
  const has = (name: string) => sends.some((step) => sampleFor(step.samples, [name]) !== null);
  if (needed !== undefined && !has(needed)) return `No transaction has the sample ${needed}, which this needs.`;
  const callbacks = definition.callbacks.some(({ samples }) => Object.keys(samples ?? {}).length > 0);
  const needsCallbacks = fault === "duplicate" || fault === "late-callback" || fault === "wrong-signature";
  return needsCallbacks && !callbacks ? `The fault ${fault} is one of callbacks, and no callback of the description has samples.` : null;
}
