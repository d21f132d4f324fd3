import type { Recorder } from "../../connector.ts";
import type { Answer, Egress, Exchange } from "../../wire/exchange.ts";
import { createWire, type Wire } from "../../wire/exchange.ts";
import type { Description } from "../definition.ts";
import type { TextCall } from "../request/build-request.ts";
import type { Secrets } from "../request/scope.ts";

export type { Answer, Exchange };

/** How one call is sent and kept as evidence. */
export type Sending = {
  readonly operation: string;
  readonly isQuery: boolean;
  readonly timeoutMilliseconds: number;
  readonly signal: AbortSignal;
  readonly record: Recorder | undefined;
  /** What stays readable in evidence although it looks like an account number. */
  readonly readable: readonly string[];
  /** Values of this call that belong into no evidence. */
  readonly hidden: readonly string[];
};

export type Transport = {
  readonly exchange: (call: TextCall, sending: Sending) => Promise<Exchange>;
  readonly close: () => Promise<void>;
};

/** The connections to one provider, with the limits and the network that its description declares. */
export function createTransport(definition: Description, _secrets: Secrets, egress: Egress): Transport {
  const connectMilliseconds = definition.timeouts.connect_seconds * 1000;
  const wires = new Map<number, Wire>();
  const wireFor = (wholeMilliseconds: number): Wire => {
    const wire = wires.get(wholeMilliseconds) ?? createWire({ connectMilliseconds, wholeMilliseconds, egress });
    wires.set(wholeMilliseconds, wire);
    return wire;
  };
  let isClosed = false;
  return {
    exchange: async (call, { timeoutMilliseconds, signal }) => {
      if (isClosed) return { kind: "not_sent", why: "the connector is closed", fault: "shutdown" };
      return wireFor(timeoutMilliseconds).exchange(call, signal);
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...wires.values()].map((wire) => wire.close()));
    },
  };
}
