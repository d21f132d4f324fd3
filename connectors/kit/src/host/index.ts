export type { LogSink } from "./bounded-log.ts";
export { MOST_STATE_NAMES } from "./bounded-store.ts";
export type { RawAnswer, RawWire } from "./bounded-wire.ts";
export { type CheckedPlugin, checkPlugin, type PluginFault } from "./check-plugin.ts";
export { type HostedConnector, type HostedFinding, type HostedOutcome, type HostedRequest, hostConnector } from "./host.ts";
export { memoryStore } from "./memory-store.ts";
export { currentProvider } from "./running.ts";
