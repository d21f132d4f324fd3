import type { Socket } from "node:net";
import type { ReadBody } from "./read-body.ts";

/** A request for the dispatcher, from the fast path or from node:http. */
export type Incoming = {
  readonly method: string;
  readonly target: string;
  /** Alternating names and values, as sent. */
  readonly rawHeaders: readonly string[];
  readonly socket: Socket;
  /** When the request was read from the network, by `performance.now()`. */
  readonly arrivedAt: number;
  readonly read: (limitBytes: number) => ReadBody | Promise<ReadBody>;
};
