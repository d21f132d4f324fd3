import type { Socket } from "node:net";
import type { ReadBody } from "./read-body.ts";

/** A request as the dispatcher sees it, however it came in. */
export type Incoming = {
  readonly method: string;
  readonly target: string;
  /** Names and values by turns, as sent. */
  readonly rawHeaders: readonly string[];
  readonly socket: Socket;
  /** When it was read from the network, by `performance.now()`. */
  readonly arrivedAt: number;
  readonly read: (limitBytes: number) => ReadBody | Promise<ReadBody>;
};
