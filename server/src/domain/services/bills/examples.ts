import type { ExampleValues } from "../../client-api/route.ts";

const ALL: ExampleValues = {
  account: "5012312345",
  amount: "1234.5600",
  total: "1234.5600",
  balance: "8765.4400",
  max_amount: "100000.0000",
};

export const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
  "*": ALL,
  "/bills/categories": { name: "Electricity" },
  "/bills/billers": { name: "BESCOM", "params.name": "account_id", search: "bescom" },
  // A fetched bill is paid by its fetch_ref.
  "/bills/pay": { fetch_ref: "FET3K9M7Q2X4B8C" },
};
