import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { apiUrl } from "../../ui/requests/api.ts";
import { connectEventStream } from "../../ui/requests/event-stream.ts";
import { type Overview, overviewQuery } from "./data.ts";

export type Live = "opening" | "live" | "lost";

// The service sends an update every two seconds, and less often under load.
const SILENT_MILLISECONDS = 15_000;
const RETRY_MILLISECONDS = 5_000;

/** Keeps the overview up to date while the page is open, and tells whether the stream is connected. */
export function useLiveOverview(): Live {
  const queries = useQueryClient();
  const [state, setState] = useState<Live>("opening");
  useEffect(
    () =>
      connectEventStream(apiUrl("/overview/live"), {
        retryMilliseconds: RETRY_MILLISECONDS,
        silentMilliseconds: SILENT_MILLISECONDS,
        onInterrupted: () => setState("lost"),
        checkSession: () => void queries.invalidateQueries({ queryKey: overviewQuery.queryKey }),
        onMessage: (data) => {
          setState("live");
          queries.setQueryData(overviewQuery.queryKey, JSON.parse(data) as Overview);
        },
      }),
    [queries],
  );
  return state;
}
