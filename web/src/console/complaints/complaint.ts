import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { get } from "../api.ts";

export type Complaint = Schemas["QueuedComplaint"];

/** A complaint with what its provider says about it. */
export type ComplaintDetail = Schemas["ComplaintDetail"];

export type ViewCounts = Schemas["ComplaintViews"];

const REFRESH_MILLISECONDS = 15_000;

export function complaintQuery(complaintRef: string) {
  return queryOptions({
    queryKey: ["/complaints", complaintRef],
    queryFn: ({ signal }) => get("/complaints/:complaint_ref", { complaint_ref: complaintRef }, signal),
    refetchInterval: ({ state }) => (state.data?.status === "OPEN" ? REFRESH_MILLISECONDS : false),
  });
}

export const viewsQuery = queryOptions({
  queryKey: ["/complaints", "views"],
  queryFn: ({ signal }) => get("/complaints/views", {}, signal),
  refetchInterval: REFRESH_MILLISECONDS,
});
