type State = "SUCCESS" | "FAILED" | "pending";

export type Ending = { readonly digits: string; readonly first: State; readonly last: State };

/** Contract, section 9: the results of special target endings, the same for every service. */
export const ENDINGS: readonly Ending[] = [
  { digits: "000", first: "SUCCESS", last: "SUCCESS" },
  { digits: "102", first: "FAILED", last: "FAILED" },
  { digits: "202", first: "pending", last: "FAILED" },
  { digits: "200", first: "pending", last: "SUCCESS" },
  { digits: "110", first: "pending", last: "pending" },
  { digits: "120", first: "SUCCESS", last: "FAILED" },
  { digits: "130", first: "pending", last: "SUCCESS" },
  { digits: "131", first: "pending", last: "FAILED" },
  { digits: "140", first: "FAILED", last: "FAILED" },
  { digits: "141", first: "pending", last: "SUCCESS" },
  { digits: "150", first: "SUCCESS", last: "SUCCESS" },
];

export const CODES: Readonly<Record<State, number>> = { SUCCESS: 0, FAILED: 1, pending: 2 };
