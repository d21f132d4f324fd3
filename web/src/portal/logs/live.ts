import { useEffect, useRef, useState } from "react";
import { apiUrl, get, type Query } from "../../ui/api.ts";
import type { Call } from "./call.ts";

type Live = {
  /** Newest first; does not grow while it is paused. */
  readonly calls: readonly Call[];
  /** How many came while it was paused. */
  readonly held: number;
  readonly state: "off" | "opening" | "open" | "broken";
};

const MOST_KEPT = 500;
const AGAIN_MILLISECONDS = 3_000;

/** Calls as they come, while `on`. A stream that ends is opened again; one that is refused is tried again. */
export function useLiveCalls(on: boolean, paused: boolean, query: Query, onOpen: () => void): Live {
  const [came, setCame] = useState<readonly Call[]>([]);
  const [state, setState] = useState<Live["state"]>("off");
  const [tries, setTries] = useState(0);
  const [frozen, setFrozen] = useState<readonly Call[] | null>(null);
  const opened = useRef(onOpen);
  opened.current = onOpen;
  const url = apiUrl("/logs/live", query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` opens the stream once more.
  useEffect(() => {
    setCame([]);
    setState((before) => (on ? (before === "broken" ? "broken" : "opening") : "off"));
    if (!on) return undefined;
    const stream = new EventSource(url);
    let again: number | undefined;
    stream.onopen = () => {
      setState("open");
      opened.current();
    };
    stream.onerror = () => {
      const isRefused = stream.readyState === EventSource.CLOSED;
      setState(isRefused ? "broken" : "opening");
      if (!isRefused) return;
      again = window.setTimeout(() => setTries((before) => before + 1), AGAIN_MILLISECONDS);
      // Asked as any call is, so that a session that has ended leads to the sign-in page.
      void get("/logs", { limit: 1 }).catch(() => undefined);
    };
    stream.onmessage = (event: MessageEvent<string>) => {
      const call = JSON.parse(event.data) as Call;
      setCame((before) => (before.some((one) => one.call_id === call.call_id) ? before : [call, ...before].slice(0, MOST_KEPT)));
    };
    return () => {
      stream.close();
      window.clearTimeout(again);
    };
  }, [on, url, tries]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands there when it is paused stays.
  useEffect(() => setFrozen(on && paused ? came : null), [on, paused]);
  const calls = frozen ?? came;
  return { calls, held: came.length - calls.length, state };
}
