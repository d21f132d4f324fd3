import { memoryStore } from "@corprail/connector/host";
import { createLog } from "../../../platform/observability/log.ts";
import type { OwnFault } from "../connector.ts";
import { checkSetup, type ProviderSetup, secretNames } from "../connector-setup.ts";
import type { Secrets } from "../description/request/scope.ts";
import type { DescribedProvider } from "../settings/described-provider.ts";
import { type Fault, faultText } from "../settings/faults.ts";
import { DEFAULT_SIMULATOR } from "../simulator/simulator.ts";
import type { Exchange, Wire } from "../wire/exchange.ts";
import { keptValues } from "./kept-values.ts";
import { conversationMask, type RawExchange, rawExchange } from "./mask-recording.ts";
import { perform } from "./perform.ts";
import type { RecordedAnswer, RecordedOperation, Recording } from "./recording.ts";
import { seededRandom } from "./seeded-random.ts";

/** One thing that a replay does otherwise than its recording. */
export type Difference = {
  readonly operation: string;
  readonly part: RecordedOperation["part"];
  /** The position of the request in its operation, from 1; null for the outcome. */
  readonly request: number | null;
  readonly expected: readonly string[];
  readonly found: readonly string[];
};

export type ReplayedOperation = Pick<RecordedOperation, "operation" | "part" | "outcome"> & {
  readonly requests: readonly (readonly string[])[];
};
export type Replayed = { readonly operations: readonly ReplayedOperation[]; readonly differences: readonly Difference[] };

export class UnusableSettings extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(`The provider's settings have faults: ${faultText(faults)}`);
    this.faults = faults;
  }
}

export type ReplayOptions = {
  /** The provider as it is now, instead of as it was recorded. */
  readonly described?: DescribedProvider;
  /** Only a plug-in may need them, to compute its signatures. */
  readonly secrets?: Secrets;
};

/** Carries the operations of a recording out again, offline, and compares every request and every outcome. */
export async function replay(recording: Recording, options: ReplayOptions = {}): Promise<Replayed> {
  const { provider, connector, settings } = options.described ?? recording;
  const names = secretNames(connector, settings);
  const secrets = { ...Object.fromEntries(names.map((name) => [name, `placeholder_of_${name}`])), ...options.secrets };
  const ran = await carryOut(recording, { provider, connector, settings, secrets });
  const hidden = ran.flatMap(({ heard }) => heard.flatMap((raw) => raw.hidden));
  const inputs = recording.operations.map(({ input }) => input);
  const mask = conversationMask({ secrets, hidden, inputs, kept: keptValues(settings) });
  const operations = ran.map(({ operation, part, outcome, heard }) => ({
    ...{ operation, part, outcome },
    requests: heard.map(({ call }) => mask.request(call)),
  }));
  return { operations, differences: operations.flatMap((one, position) => differencesOf(recording.operations[position], one)) };
}

type Ran = Pick<RecordedOperation, "operation" | "part" | "outcome"> & { readonly heard: readonly RawExchange[] };

async function carryOut(recording: Recording, setup: ProviderSetup): Promise<readonly Ran[]> {
  const checked = checkSetup(setup);
  if (!checked.ok) throw new UnusableSettings(checked.faults);
  const now = Date.parse(recording.recorded_at);
  let answers: readonly RecordedAnswer[] = [];
  let heard: RawExchange[] = [];
  const wire: Wire = {
    exchange: async (call, _signal, evidence) => {
      const exchange = exchangeOf(answers[heard.length]);
      heard.push(rawExchange(call, exchange, evidence));
      return exchange;
    },
    close: async () => {},
  };
  const connector = checked.open({
    ...{ clock: { now: () => now }, reportTo: () => {}, simulator: DEFAULT_SIMULATOR, log: createLog("silent") },
    // No name is resolved, because nothing is sent.
    egress: { allow: [], resolve: async () => [] },
    state: memoryStore(),
    recording: { createWire: () => wire, random: seededRandom(recording.random), hidesComputed: true },
  });
  try {
    const ran: Ran[] = [];
    for (const { operation, part, input, exchanges } of recording.operations) {
      answers = exchanges.map((one) => one.answer);
      heard = [];
      const outcome = await perform(connector, { operation, part, input }, now);
      ran.push({ operation, part, outcome, heard });
    }
    return ran;
  } finally {
    await connector.close();
  }
}

const OWN_FAULTS: readonly OwnFault[] = ["order", "address", "name", "capacity", "shutdown", "connector", "credentials", "proxy"];

function exchangeOf(answer: RecordedAnswer | undefined): Exchange {
  if (answer === undefined) return { kind: "unknown", why: "the recording has no answer to this request" };
  if ("kind" in answer) {
    const fault = OWN_FAULTS.find((one) => one === answer.fault);
    return { kind: answer.kind, why: answer.why, ...(fault === undefined ? {} : { fault }) };
  }
  const { status, headers, body, encoding, unmarked_end: isUnmarked } = answer;
  return { kind: "answered", answer: { status, headers, body: Buffer.from(body, encoding ?? "utf8"), endMarked: isUnmarked !== true } };
}

function differencesOf(
  recorded: RecordedOperation | undefined,
  { operation, part, outcome, requests }: ReplayedOperation,
): readonly Difference[] {
  const exchanges = recorded?.exchanges ?? [];
  const positions = Array.from({ length: Math.max(exchanges.length, requests.length) }, (_, position) => position);
  const inRequests = positions.map((position) => ({
    ...{ operation, part, request: position + 1 },
    ...both(exchanges[position]?.request, requests[position]),
  }));
  const inOutcome = { ...{ operation, part, request: null }, ...both(jsonLines(recorded?.outcome), jsonLines(outcome)) };
  return [...inRequests, inOutcome].filter(({ expected, found }) => expected.join("\n") !== found.join("\n"));
}

function both(expected: readonly string[] = ["(no request)"], found: readonly string[] = ["(no request)"]) {
  return { expected, found };
}

export function jsonLines(value: unknown): readonly string[] {
  return JSON.stringify(value ?? null, null, 2).split("\n");
}
