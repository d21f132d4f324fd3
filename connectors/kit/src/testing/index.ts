export { memoryStore } from "../host/memory-store.ts";
export {
  type CallbackProof,
  type ContractCall,
  type ContractCallbacks,
  type ContractHarness,
  type ContractSubject,
  connectorContract,
  type TestFunction,
} from "./contract.ts";
export { openForTest, type TestConnector, type TestOptions } from "./open-for-test.ts";
export type { TestEvidence } from "./plain-wire.ts";
export {
  BEHAVIOURS,
  type Behaviour,
  LATE_MILLISECONDS,
  type Received,
  SLOW_MILLISECONDS,
  startUnrulyServer,
  type UnrulyOptions,
  type UnrulyServer,
  type Word,
  type Words,
} from "./unruly-server.ts";
