import type { ExampleValues } from "../../client-api/route.ts";

const ALL: ExampleValues = {
  amount: "1000.0000",
  balance: "9000.0000",
  cancelled_seats: [[]],
  from: "PUN",
  to: "GOA",
};

export const EXAMPLES: Readonly<Record<string, ExampleValues>> = {
  "*": ALL,
  "/bus/cities": { name: "Pune" },
  "/bus/cancel": { cancelled_seats: "A1", refund_amount: "900.0000" },
  "/bus/block": { gender: "F" },
};
