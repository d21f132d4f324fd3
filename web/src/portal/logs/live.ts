import { useEffect, useRef, useState } from "react";
import { apiUrl, type Query } from "../../ui/requests/api.ts";
import { connectEventStream } from "../../ui/requests/event-stream.ts";
import { get } from "../api.ts";
import type { Call } from "./call.ts";

type Live = {
  /** Newest first; does not grow while the tail is paused. */
  readonly calls: readonly Call[];
  /** Number of calls that arrived while the tail was paused. */
  readonly held: number;
  readonly state: "off" | "opening" | "open" | "broken";
};

const MAX_CALLS = 500;
const RETRY_MILLISECONDS = 3_000;

/** The live tail of API calls while `on`. `onOpen` runs whenever the stream opens. */
export function useLiveCalls(on: boolean, paused: boolean, query: Query, onOpen: () => void): Live {
  const [received, setReceived] = useState<readonly Call[]>([]);
  const [state, setState] = useState<Live["state"]>("off");
  const [frozen, setFrozen] = useState<readonly Call[] | null>(null);
  const opened = useRef(onOpen);
  opened.current = onOpen;
  const url = apiUrl("/logs/live", query);
  useEffect(() => {
    setReceived([]);
    setState((before) => (on ? (before === "broken" ? "broken" : "opening") : "off"));
    if (!on) return undefined;
    return connectEventStream(url, {
      retryMilliseconds: RETRY_MILLISECONDS,
      onOpen: () => {
        setState("open");
        opened.current();
      },
      onInterrupted: (interruption) => setState(interruption === "lost" ? "broken" : "opening"),
      onRetry: () => setReceived([]),
      checkSession: () => void get("/logs", { limit: "1" }).catch(() => undefined),
      onMessage: (data) => {
        const call = JSON.parse(data) as Call;
        setReceived((before) => (before.some(({ call_id }) => call_id === call.call_id) ? before : [call, ...before].slice(0, MAX_CALLS)));
      },
    });
  }, [on, url]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: pausing keeps the calls of that moment.
  useEffect(() => setFrozen(on && paused ? received : null), [on, paused]);
  const calls = frozen ?? received;
  return { calls, held: received.length - calls.length, state };
}
