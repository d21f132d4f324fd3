import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { apiUrl } from "../../ui/api.ts";
import { type Overview, overviewQuery } from "./data.ts";

export type Live = "opening" | "live" | "lost";

// News come every two seconds; a service under load sends them less often.
const SILENT_MILLISECONDS = 15_000;
const AGAIN_MILLISECONDS = 5_000;

/** Keeps the overview in step as long as the page is open, and says whether it is. Comes back by itself. */
export function useLiveOverview(): Live {
  const queries = useQueryClient();
  const [state, setState] = useState<Live>("opening");
  useEffect(() => {
    let stream: EventSource | null = null;
    let silence: number | undefined;
    let again: number | undefined;
    const lost = () => {
      stream?.close();
      window.clearTimeout(silence);
      window.clearTimeout(again);
      setState("lost");
      // Asked as any call is, so that a session that has ended leads to the sign-in page.
      void queries.invalidateQueries({ queryKey: overviewQuery.queryKey });
      again = window.setTimeout(open, AGAIN_MILLISECONDS);
    };
    const heard = () => {
      window.clearTimeout(silence);
      silence = window.setTimeout(lost, SILENT_MILLISECONDS);
    };
    const open = () => {
      stream = new EventSource(apiUrl("/overview/live"));
      stream.onopen = heard;
      stream.onerror = lost;
      stream.onmessage = (event: MessageEvent<string>) => {
        heard();
        setState("live");
        queries.setQueryData(overviewQuery.queryKey, JSON.parse(event.data) as Overview);
      };
      heard();
    };
    open();
    return () => {
      stream?.close();
      window.clearTimeout(silence);
      window.clearTimeout(again);
    };
  }, [queries]);
  return state;
}
