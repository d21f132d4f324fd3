export { bookingKey } from "./callbacks/booking-key.js";
export {
  expressHandler,
  type FastifyLike,
  type FastifyReplyLike,
  type FastifyRequestLike,
  fastifyCallbacks,
  fastifyHandler,
  type HandlerOptions,
  type NodeHandlerOptions,
  type NodeResponse,
  nodeHandler,
  type OnCallback,
} from "./callbacks/handlers.js";
export { memoryNonces } from "./callbacks/nonces.js";
export { BodyAlreadyParsedError, type NodeRequest } from "./callbacks/raw-body.js";
export type {
  Callback,
  CallbackRefusal,
  ComplaintCallback,
  IncomingCallback,
  NonceStore,
  StatusCallback,
  Verdict,
} from "./callbacks/types.js";
export { CallbackVerifier, type VerifierOptions } from "./callbacks/verifier.js";
export { Corprail } from "./corprail.js";
export { encryptAadhaar } from "./encrypt-aadhaar.js";
export * from "./errors.js";
export { List, type ListOptions, type Page } from "./list.js";
export type * from "./outcome.js";
export type * from "./services/account.js";
export type * from "./services/aeps.js";
export type * from "./services/aeps-types.js";
export type * from "./services/bills.js";
export type * from "./services/bills-types.js";
export type * from "./services/bus.js";
export type * from "./services/bus-types.js";
export type * from "./services/complaints.js";
export { COMPLAINT_REASONS } from "./services/complaints.js";
export type * from "./services/recharge.js";
export type * from "./services/shared.js";
export type * from "./services/transfers.js";
export type * from "./services/transfers-types.js";
export type { CallOptions, CorprailOptions } from "./settings.js";
export { canonicalQuery, type QueryPair, type Signable, signRequest, stringToSign } from "./signing.js";
export { type Clock, systemClock } from "./time.js";
export type { WaitOptions } from "./wait-for-final.js";
