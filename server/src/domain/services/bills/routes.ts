import { type ExampleValues, type Route, withExamples } from "../../client-api/route.ts";
import { listBillers } from "./billers/list-billers.ts";
import { listCategories } from "./billers/list-categories.ts";
import type { BillsContext } from "./context.ts";
import { createFetch } from "./fetches/create-fetch.ts";
import { getFetch } from "./fetches/get-fetch.ts";
import { createPayment } from "./payments/create-payment.ts";
import { getPayment } from "./payments/get-payment.ts";

/** A route may use its context only inside its handler. */
export function billsRoutes(ctx: BillsContext): readonly Route[] {
  return withExamples(
    [listCategories, listBillers, createFetch, getFetch, createPayment, getPayment].map((routeOf) => routeOf(ctx)),
    EXAMPLES,
  );
}

const ALL: ExampleValues = {
  account: "5012312345",
  amount: "1234.5600",
  total: "1234.5600",
  balance: "8765.4400",
  max_amount: "100000.0000",
};

const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
  "*": ALL,
  "/bills/categories": { name: "Electricity" },
  "/bills/billers": { name: "BESCOM", "params.name": "account_id", search: "bescom" },
  // A fetched bill is paid by its fetch_ref.
  "/bills/pay": { fetch_ref: "FET3K9M7Q2X4B8C" },
};
