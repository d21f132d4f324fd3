import { queryOptions } from "@tanstack/react-query";
import type { Schema } from "./schema.ts";

/** The published schema of descriptions, in a file of its own that only the editor loads. */
export const schemaQuery = queryOptions({
  queryKey: ["description-schema"],
  queryFn: async () => (await import("../../../../../contract/provider-description.schema.json")).default as Schema,
  staleTime: Number.POSITIVE_INFINITY,
});
