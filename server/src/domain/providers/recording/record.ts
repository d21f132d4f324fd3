import { randomBytes } from "node:crypto";
import { memoryStore } from "@corprail/connector/host";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { createLog } from "../../../platform/observability/log.ts";
import type { Connector } from "../connector.ts";
import { checkSetup, type ProviderSetup } from "../connector-setup.ts";
import { readDescription } from "../description/definition.ts";
import type { Rule } from "../description/language/rules.ts";
import { allPlans, type Step } from "../description/run/plan.ts";
import { DEFAULT_SIMULATOR } from "../simulator/simulator.ts";
import { createWire, type Egress, type WireOptions } from "../wire/exchange.ts";
import { keptValues } from "./kept-values.ts";
import { conversationMask, type RawExchange, rawExchange } from "./mask-recording.ts";
import { type Performed, perform } from "./perform.ts";
import { RECORDING_FORMAT, type Recording } from "./recording.ts";
import { type Difference, jsonLines, replay, UnusableSettings } from "./replay.ts";
import { seededRandom } from "./seeded-random.ts";

export type RecordingSession = {
  readonly connector: Connector;
  /** Carries an operation out at the provider, once. */
  readonly perform: (performed: Performed) => Promise<JsonObject>;
  /** Masks the conversation and replays it. Differences say why a replay cannot show the same. */
  readonly finish: () => Promise<Finished>;
  readonly close: () => Promise<void>;
};
export type Finished = { readonly recording: Recording; readonly differences: readonly Difference[] };

type Heard = Performed & { readonly outcome: JsonObject; readonly exchanges: readonly RawExchange[] };

/** Why an operation cannot be recorded; null when it can. */
export function whyNotRecordable({ connector, settings }: Pick<ProviderSetup, "connector" | "settings">, operation: string): string | null {
  if (connector === "simulator") return "The simulator sends nothing, so there is nothing to record.";
  const read = connector === "description" ? readDescription(settings) : null;
  const plans = read?.ok ? allPlans(read.definition).filter(({ name }) => name === operation) : [];
  const steps = plans.flatMap(({ plan }): readonly Step<Rule>[] => plan.steps);
  return steps.some((step) => step.read.decrypt !== undefined)
    ? `The answers to ${operation} are encrypted. A replay could not read them without the key, so they cannot be recorded.`
    : null;
}

/** Records conversations with a provider over the network. The time stands still, so that a replay can have the same. */
export function startRecording(setup: ProviderSetup, { egress, now }: { readonly egress: Egress; readonly now: number }): RecordingSession {
  const checked = checkSetup(setup);
  if (!checked.ok) throw new UnusableSettings(checked.faults);
  const seed = randomBytes(16).toString("hex");
  const heard: Heard[] = [];
  let exchanges: RawExchange[] = [];
  const recordingWire = (options: WireOptions) => {
    const wire = createWire(options);
    return {
      ...wire,
      exchange: async (...[call, signal, evidence]: Parameters<typeof wire.exchange>) => {
        const exchange = await wire.exchange(call, signal, evidence);
        exchanges.push(rawExchange(call, exchange, evidence));
        return exchange;
      },
    };
  };
  const connector = checked.open({
    ...{ clock: { now: () => now }, reportTo: () => {}, simulator: DEFAULT_SIMULATOR, log: createLog("silent"), egress },
    state: memoryStore(),
    recording: { createWire: recordingWire, random: seededRandom(seed), hidesComputed: false },
  });
  return {
    connector,
    perform: async (performed) => {
      exchanges = [];
      const outcome = await perform(connector, performed, now);
      heard.push({ ...performed, outcome, exchanges });
      return outcome;
    },
    finish: () => finished(setup, heard, { recorded_at: new Date(now).toISOString(), random: seed }),
    close: () => connector.close(),
  };
}

async function finished(setup: ProviderSetup, heard: readonly Heard[], head: Pick<Recording, "recorded_at" | "random">): Promise<Finished> {
  const { provider, connector, settings, secrets } = setup;
  const hidden = heard.flatMap(({ exchanges }) => exchanges.flatMap((one) => one.hidden));
  const mask = conversationMask({ secrets, hidden, inputs: heard.map(({ input }) => input), kept: keptValues(settings) });
  const masked = heard.map(({ operation, part, input, exchanges }) => ({
    ...{ operation, part, input: mask.input(input), outcome: {} },
    exchanges: exchanges.map(mask.exchange),
  }));
  const draft: Recording = { format: RECORDING_FORMAT, version: 1, provider, connector, ...head, settings, operations: masked };
  // The outcome is that of the masked answers: a reference in it may be masked too.
  const replayed = await replay(draft, connector === "plugin" ? { secrets } : {});
  const operations = masked.map((one, position) => ({ ...one, outcome: replayed.operations[position]?.outcome ?? {} }));
  const requests = replayed.differences.filter(({ request }) => request !== null);
  const outcomes = heard.flatMap((one, position) => otherOutcome(one, operations[position]?.outcome ?? {}));
  return { recording: { ...draft, operations }, differences: [...requests, ...outcomes] };
}

const DECIDING = ["kind", "decline", "failure", "code"] as const;

function otherOutcome({ operation, part, outcome }: Heard, masked: JsonObject): readonly Difference[] {
  const decided = (one: JsonObject) => jsonLines(Object.fromEntries(DECIDING.map((name) => [name, one[name]])));
  const [expected, found] = [decided(outcome), decided(masked)];
  return expected.join() === found.join() ? [] : [{ operation, part, request: null, expected, found }];
}
