import { type Route, withExamples } from "../../client-api/route.ts";
import type { BillsContext } from "./context.ts";
import { createFetch } from "./create-fetch.ts";
import { createPayment } from "./create-payment.ts";
import { EXAMPLES } from "./examples.ts";
import { getFetch } from "./get-fetch.ts";
import { getPayment } from "./get-payment.ts";
import { listBillers } from "./list-billers.ts";
import { listCategories } from "./list-categories.ts";

/** A route may use its context only inside its handler. */
export function billsRoutes(ctx: BillsContext): readonly Route[] {
  return withExamples(
    [listCategories, listBillers, createFetch, getFetch, createPayment, getPayment].map((routeOf) => routeOf(ctx)),
    EXAMPLES,
  );
}
