export type { Json, JsonObject } from "./json.ts";
export {
  isQuery,
  isTransaction,
  type OperationName,
  QUERIES,
  type QueryInput,
  type QueryName,
  type QueryValue,
  TRANSACTIONS,
  type TransactionName,
  transactionOf,
} from "./operations.ts";
export {
  type AnswerFacts,
  DECLINE_CLASSES,
  DECLINE_REASONS,
  type DeclineClass,
  type DeclineReason,
  type Outcome,
  type QueryResult,
  REFUSAL_CODES,
  type RefusalCode,
  type StatusFinding,
} from "./outcome.ts";
export {
  API_VERSION,
  type CallbackMessage,
  type CallbackReading,
  type Clock,
  type ConnectorDefinition,
  defineConnector,
  type Handlers,
  type LogFields,
  type OpenParts,
  type PluginLog,
  type Query,
  type StateStore,
  type Transaction,
  type TransactionRequest,
} from "./plugin.ts";
export { missingOperations, REQUIRED_OPERATIONS } from "./required-operations.ts";
export type { Wire, WireAnswer, WireRequest } from "./wire.ts";
